import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ProxyList } from '#server/plumbing/http/identity';
import { makeBackup } from '#server/plumbing/database/backup/backup';
import { makeHousehold } from '../backup/support.ts';
import {
  examineBackups,
  examineCopying,
  examineFolder,
  examineHost,
  examineProxies,
} from '../../scripts/doctor/settings.ts';

/** The path of an existing database. */
function database(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rayonnage-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'bibliotheque.sqlite');
  writeFileSync(path, '');
  return path;
}

test.each([
  ['NFS', 0x6969],
  ['SMB', 0xff534d42],
  ['SMB', 0xfe534d42],
])('a database in a folder of %s (%d) is wrong', (name, type) => {
  expect(examineFolder(database(), () => type)).toMatchObject([
    { kind: 'wrong', sentence: expect.stringContaining(`(${name})`) as string },
  ]);
});

test('a database on a disk of this machine is well', () => {
  expect(examineFolder(database(), () => 0xef53)).toMatchObject([{ kind: 'well' }]);
  expect(examineFolder(database())).toHaveLength(1);
});

test('a folder on a FUSE file system is reported', () => {
  expect(examineFolder(database(), () => 0x65735546)).toMatchObject([{ kind: 'note' }]);
});

test('the files to copy are named, and that the database file alone is incomplete', () => {
  const path = database();
  const folder = dirname(path);
  const couvertures = join(folder, 'couvertures');
  expect(examineCopying(path, couvertures)).toMatchObject([
    {
      kind: 'note',
      sentence: expect.stringMatching(
        /^À copier : \S+bibliotheque\.sqlite\. Son journal/,
      ) as string,
    },
  ]);
  mkdirSync(couvertures);
  expect(examineCopying(path, couvertures)).toMatchObject([
    { sentence: expect.stringContaining(` et ${couvertures}. Son journal est vide`) as string },
  ]);
  writeFileSync(`${path}-wal`, 'x'.repeat(5000));
  expect(examineCopying(path, couvertures)).toMatchObject([
    {
      kind: 'note',
      sentence: expect.stringMatching(/journal.+ 5 ko .+ « backup »/) as string,
    },
  ]);
});

test('without a database the doctor reports nothing', () => {
  expect(examineFolder(join(tmpdir(), 'rayonnage-nowhere', 'rien.sqlite'))).toEqual([]);
  expect(examineCopying(join(tmpdir(), 'rayonnage-nowhere', 'rien.sqlite'), tmpdir())).toEqual([]);
});

test.each(['0.0.0.0/0', '127.0.0.1,128.0.0.0/1', '::/0'])(
  '%s trusts everyone, which is wrong',
  (list) => {
    expect(examineProxies(new ProxyList(list))).toMatchObject([{ kind: 'wrong' }]);
  },
);

test.each(['127.0.0.0/8,::1', '10.0.0.0/8', '192.168.1.2'])('%s is a proxy’s own', (list) => {
  expect(examineProxies(new ProxyList(list))).toEqual([]);
});

test.each([
  ['biblio.example.org', null, 'ALLOWED_HOSTS=biblio.example.org'],
  ['biblio.local', null, 'ALLOWED_HOSTS=biblio.local'],
  ['biblio.local', ['maison'], 'ALLOWED_HOSTS=…,biblio.local'],
  ['[2001:db8::7]', null, 'ALLOWED_HOSTS=2001:db8::7'],
])('a host that would be refused is reported in advance: %s, %j', (hostname, named, ligne) => {
  expect(examineHost(hostname, { named, servesHouseNames: false })).toMatchObject([
    { kind: 'note', sentence: expect.stringContaining(ligne) as string },
  ]);
});

test('the doctor reports nothing about a host that is served', () => {
  for (const host of ['localhost', '192.168.1.2', '127.0.0.1', '[fd12::7]'])
    expect(examineHost(host, { named: null, servesHouseNames: false }), host).toEqual([]);
  expect(examineHost('maison', { named: ['maison'], servesHouseNames: false })).toEqual([]);
  expect(examineHost('biblio.local', { named: null, servesHouseNames: true })).toEqual([]);
  expect(examineHost('biblio.example.org', null)).toEqual([]);
});

test('a new database beside larger backups is a fault, an equally large one is not', async () => {
  const [before, now] = [makeHousehold(['Nadja', 'Les Vagues']), makeHousehold([])];
  const day = new Date('2026-01-01T03:00:00Z');
  await makeBackup(before.path, before.backups, { isNightly: true, now: day });
  expect(examineBackups(now.path, before.backups)).toMatchObject([
    { kind: 'wrong', sentence: expect.stringMatching(/^Base neuve créée .* 2 livres/) as string },
  ]);
  expect(examineBackups(before.path, before.backups)).toEqual([]);
  expect(examineBackups(now.path, now.backups)).toEqual([]);
});
