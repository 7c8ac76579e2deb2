import { closeSync, openSync, readSync, utimesSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { lireSante } from '#shared/sante';
import { checkpoint, pragma, temporaryFolder } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { openHouse, type House } from '../support/house.ts';
import { send } from '../support/server.ts';

const health = (house: House) => house.ask(null, 'GET', '/api/sante');
const add = (house: House, titre: string) =>
  house.ask(null, 'POST', '/api/livres', { titre, format: 'Physique' });

test('the state of the service is hidden behind a proxy', async () => {
  const house = await openHouse();
  const { body } = await add(house, 'Désert');
  expect(body).toMatchObject({ titre: 'Désert' });
  const here = await health(house);
  expect(here.body).toEqual({
    etat: 'ok',
    service: {
      schema: house.context.database.health.schema,
      revision: house.context.database.revision(),
      couverturesEnAttente: 0,
      derniereSauvegarde: null,
      placeLibre: expect.any(Number) as number,
      plusLongTour: expect.any(Number) as number,
    },
  });
  for (const header of ['X-Forwarded-For', 'Forwarded', 'Via', 'X-Real-IP']) {
    const behind = await send(`${house.url}/api/sante`, { headers: [header, '127.0.0.1'] });
    expect(behind.json(), header).toEqual({ etat: 'ok' });
  }
});

test('the longest block of the event loop is reported', async () => {
  const house = await openHouse();
  const BLOCKED_MS = 500;
  const longest = async () => {
    const end = performance.now() + BLOCKED_MS;
    while (performance.now() < end);
    const { body } = await health(house);
    return Value.Parse(lireSante.response, body).service?.plusLongTour;
  };
  await eventually(longest).toBeGreaterThan(BLOCKED_MS / 2);
});

test.each(['/api/sante', '/metrics'])(
  'a proxy that says nothing opens nothing: %s',
  async (path) => {
    const settings = { METRICS: 'oui', ALLOWED_HOSTS: 'biblio.example.org' };
    const house = await openHouse(undefined, settings);
    const metricsFor = async (...headers: string[]) =>
      (await send(house.url + path, { headers })).text;
    expect(await metricsFor()).toMatch(/derniereSauvegarde|rayonnage_up/);
    expect(await metricsFor('Host', 'biblio.example.org')).not.toMatch(
      /derniereSauvegarde|rayonnage_up/,
    );
    const { body } = await house.ask('ana', 'POST', '/api/cles', { nom: 'Veille', ecrit: false });
    const key = `Bearer ${String(Reflect.get(Object(body), 'jeton'))}`;
    const proxied = ['Host', 'biblio.example.org', 'X-Forwarded-For', '192.0.2.1'];
    expect(await metricsFor(...proxied)).not.toMatch(/derniereSauvegarde|rayonnage_up/);
    expect(await metricsFor(...proxied, 'Authorization', key)).toMatch(
      /derniereSauvegarde|rayonnage_up/,
    );
    expect(await metricsFor(...proxied, 'Authorization', 'Bearer ray_faux')).not.toMatch(
      /rayonnage_up/,
    );
  },
);

test('metrics are answered where the setting asks for them', async () => {
  const house = await openHouse(undefined, { METRICS: 'oui' });
  await add(house, 'Désert');
  const { headers, text } = await send(`${house.url}/metrics`);
  expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
  const values = new Map(
    text
      .split('\n')
      .filter((line) => /^\w/.test(line))
      .map((line) => [line.split(' ')[0], Number(line.split(' ')[1])]),
  );
  expect(values.get('rayonnage_up')).toBe(1);
  expect(values.get('rayonnage_journal_revision')).toBe(house.context.database.revision());
  expect([...values.values()].every((value) => Number.isFinite(value))).toBe(true);
  const without = await openHouse();
  expect((await send(`${without.url}/metrics`)).text).not.toContain('rayonnage_up');
});

test('metrics are hidden behind a proxy', async () => {
  const house = await openHouse(undefined, { METRICS: 'oui' });
  const behind = { headers: ['X-Forwarded-For', '192.0.2.1'] };
  expect((await send(`${house.url}/metrics`, behind)).status).toBe(404);
});

test('every metric has a type, a help text and value', async () => {
  const folder = temporaryFolder();
  const house = await openHouse(undefined, { METRICS: 'oui', BACKUP_PATH: folder });
  await add(house, 'Désert');
  const backup = join(folder, 'rayonnage-2026-01-02T03-04-05Z.zip');
  writeFileSync(backup, '');
  utimesSync(backup, 1_767_323_045, 1_767_323_045);
  const { text } = await send(`${house.url}/metrics`);
  const metrics = text.matchAll(/# HELP (\w+) \S.*\.\n# TYPE (\w+) gauge\n(\w+) (\S+)\n/g);
  const values = new Map<string, number>();
  for (const [, helped, typed, name = '', value] of metrics) {
    expect([helped, typed]).toEqual([name, name]);
    values.set(name, Number(value));
  }
  expect(values.size * 3).toBe(text.trimEnd().split('\n').length);
  expect(Object.fromEntries(values)).toEqual({
    rayonnage_up: 1,
    rayonnage_schema: house.context.database.health.schema,
    rayonnage_journal_revision: house.context.database.revision(),
    rayonnage_covers_waiting: 0,
    rayonnage_disk_free_bytes: expect.any(Number) as number,
    rayonnage_longest_turn_seconds: expect.any(Number) as number,
    rayonnage_last_backup_timestamp_seconds: 1_767_323_045,
    process_resident_memory_bytes: expect.any(Number) as number,
    process_cpu_seconds: expect.any(Number) as number,
    process_start_time_seconds: expect.any(Number) as number,
  });
  // The unit is the second, as the ratio to the process's microseconds shows.
  const { user, system } = process.cpuUsage();
  const cpu = values.get('process_cpu_seconds') ?? 0;
  expect(cpu).toBeLessThanOrEqual((user + system) / 1e6);
  expect(cpu).toBeGreaterThan(Math.max(user, system) / 2e6);
  expect(values.get('process_start_time_seconds')).toBe(performance.timeOrigin / 1000);
  const { body } = await health(house);
  expect(body).toMatchObject({
    service: { derniereSauvegarde: '2026-01-02T03:04:05.000Z' },
  });
  pragma(house.context.database, 'query_only = ON');
  expect((await add(house, 'Sido')).status).toBe(503);
  expect((await send(`${house.url}/metrics`)).text).toContain('\nrayonnage_up 0\n');
});

test('a read-only database is served, and written once permitted', async () => {
  const house = await openHouse();
  await add(house, 'Désert');
  const { database } = house.context;
  pragma(database, 'query_only = ON');
  const refusal = { status: 503, body: { code: 'BASE_EN_LECTURE_SEULE' } };
  expect(await add(house, 'Sido')).toMatchObject(refusal);
  expect(await health(house)).toMatchObject(refusal);
  expect((await house.ask(null, 'GET', '/api/livres')).body).toHaveLength(1);
  pragma(database, 'query_only = OFF');
  expect(await health(house)).toMatchObject({ status: 200 });
  expect(await add(house, 'Sido')).toMatchObject({ status: 201 });
});

/** Overwrites the first page of a table; the returned function restores it. */
function damage(house: House, path: string, table: string): () => void {
  const { database } = house.context;
  checkpoint(path);
  const page = database.value<number>('SELECT rootpage FROM sqlite_schema WHERE name = ?', table);
  const size = database.value<number>('PRAGMA page_size') ?? 0;
  const at = ((page ?? 0) - 1) * size;
  const bytes = Buffer.alloc(size);
  const overwrite = (content: Buffer) => {
    const file = openSync(path, 'r+');
    if (content !== bytes) readSync(file, bytes, 0, size, at);
    writeSync(file, content, 0, size, at);
    closeSync(file);
  };
  overwrite(Buffer.alloc(size, 0xab));
  // Drop SQLite's cache, as after a start.
  pragma(database, 'shrink_memory');
  return () => overwrite(bytes);
}

test('a damaged page is reported until it is repaired, the others stay readable', async () => {
  const path = join(temporaryFolder(), 'maison.sqlite');
  const house = await openHouse(path);
  await add(house, 'Désert');
  expect(await health(house)).toMatchObject({ status: 200 });
  const mend = damage(house, path, 'Modification');
  const refusal = { status: 503, body: { code: 'BASE_ABIMEE' } };
  expect(await house.ask(null, 'GET', '/api/modifications')).toMatchObject(refusal);
  expect(await health(house)).toMatchObject(refusal);
  expect(await add(house, 'Sido')).toMatchObject(refusal);
  expect((await house.ask(null, 'GET', '/api/livres')).body).toHaveLength(1);
  mend();
  expect(await health(house)).toMatchObject({ status: 200 });
  // A later doubt does not take the repaired state for the damaged one.
  house.context.database.health.doubt();
  expect(await health(house)).toMatchObject({ status: 200 });
  expect(await add(house, 'Sido')).toMatchObject({ status: 201 });
});

test('a damaged file is checked again only after a change', async () => {
  const path = join(temporaryFolder(), 'maison.sqlite');
  const house = await openHouse(path);
  const mend = damage(house, path, 'Modification');
  const then = new Date('2026-01-01T00:00:00Z');
  utimesSync(path, then, then);
  const refusal = { status: 503, body: { code: 'BASE_ABIMEE' } };
  expect(await house.ask(null, 'GET', '/api/modifications')).toMatchObject(refusal);
  expect(await health(house)).toMatchObject(refusal);
  mend();
  utimesSync(path, then, then);
  expect(await health(house)).toMatchObject(refusal);
  utimesSync(path, then, new Date());
  expect(await health(house)).toMatchObject({ status: 200 });
});
