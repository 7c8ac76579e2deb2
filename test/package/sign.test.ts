import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sign } from '../../scripts/support/sign.ts';
import { temporaryFolder } from '../support/database.ts';

const isThere = (command: string): boolean => spawnSync(command, ['-h']).error === undefined;

/** A file of digests to sign, in the folder of the keys. */
function digests(): { folder: string; file: string } {
  const folder = temporaryFolder();
  const file = join(folder, 'SHA256SUMS');
  writeFileSync(file, '0123  rayonnage-1.0.0-linux-x64.tar.xz\n');
  return { folder, file };
}

test.runIf(isThere('ssh-keygen'))('digests signed by ssh are verified as the guide says', () => {
  const { folder, file } = digests();
  const key = join(folder, 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  const signers = join(folder, 'signers');
  writeFileSync(signers, `rayonnage ${readFileSync(`${key}.pub`, 'utf8')}`);
  const signature = sign(file, key, 'Rayonnage 1.0.0');
  const check = (input: string) =>
    spawnSync(
      'ssh-keygen',
      ['-Y', 'verify', '-f', signers, '-I', 'rayonnage', '-n', 'file', '-s', signature],
      { input },
    ).status;
  const text = readFileSync(file, 'utf8');
  expect(check(text)).toBe(0);
  expect(check(text.replace('0123', '0124'))).not.toBe(0);
});

test.runIf(isThere('minisign'))('digests signed by minisign are verified as the guide says', () => {
  const { folder, file } = digests();
  const [secret, open] = [join(folder, 'key'), join(folder, 'key.pub')];
  execFileSync('minisign', ['-G', '-W', '-s', secret, '-p', open]);
  sign(file, secret, 'Rayonnage 1.0.0');
  const check = () => spawnSync('minisign', ['-V', '-m', file, '-p', open], { encoding: 'utf8' });
  expect(check()).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('Rayonnage 1.0.0') as string,
  });
  writeFileSync(file, 'other digests\n');
  expect(check().status).not.toBe(0);
});
