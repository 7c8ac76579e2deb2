import { expect, test } from 'vitest';
import { ajouterLivre } from '../support/livres.ts';
import { openHouse } from '../support/house.ts';
import { random, RANDOM_TIMEOUT_MS, runs, SEED } from '../support/random.ts';
import { send, type Received } from '../support/server.ts';

const REQUESTS = runs(1500);

const TEXTS = [
  '',
  ' ',
  'a',
  'é',
  'e\u0301',
  '\0',
  '\ud800',
  '𝔄'.repeat(300),
  'a'.repeat(11_000),
  "'; DROP TABLE Livre; --",
  '%',
  '_',
  '{{7*7}}',
  '<script>',
  '../../etc/passwd',
  '9782070612758',
  '0',
  '-1',
  '1e9',
  'NaN',
  'null',
  'true',
  '__proto__',
  'Physique',
  'http://exemple.fr/a.jpg',
  '\u202e',
  '\ufeff',
  '\u0007',
];
const VALUES: unknown[] = [
  ...TEXTS,
  0,
  -1,
  1,
  1.5,
  1e300,
  2 ** 53,
  null,
  true,
  false,
  [],
  {},
  [null],
  [[[]]],
  { nom: null },
  { nom: 'A' },
  ['A', 'a'],
  [{ nom: 'B' }, 'C'],
  Array(200).fill('a'),
  { id: 1 },
];
const FIELDS = [
  'titre',
  'format',
  'auteurs',
  'isbn',
  'typeDocument',
  'nombrePages',
  'coverUrl',
  'editeur',
  'annee',
  'confirmerDoublon',
  'emprunteur',
  'statut',
  'nom',
  'id',
  'constructor',
  'toString',
  'ids',
  'places',
  'elements',
  'numero',
  'issn',
  'themes',
  'articles',
  'auteur',
  'parentId',
  'date',
];
const PARAMETERS = [
  'recherche',
  'format',
  'statut',
  'typeDocument',
  'disponibilite',
  'limite',
  'decalage',
  'confirmerDoublon',
  'epoque',
  'revision',
  'auteur',
  'titre',
  'url',
  'theme',
  'constructor',
];
const IDS = [
  '1',
  '2',
  '3',
  '0',
  '-1',
  '01',
  '1.0',
  'abc',
  '%00',
  '%FF',
  '%',
  '99999999999999999999',
  '1%2F2',
  'en-cours',
  'ordre',
  'export.csv',
  '..',
  "1'",
  '9007199254740993',
  'a'.repeat(600),
];

test(
  `no request, however strange, gets a 5xx, a leak or another shape (SEED=${String(SEED)})`,
  { timeout: RANDOM_TIMEOUT_MS },
  async () => {
    const house = await openHouse();
    await ajouterLivre(house, { auteurs: ['Ada', 'Bob'] });
    await ajouterLivre(house, { titre: 'Autre', format: 'Numerique' });
    const operations = operationsOf((await house.ask(null, 'GET', '/api/documentation/json')).body);
    expect(operations.length).toBeGreaterThan(15);
    const { integer: below, oneOf: pick } = random(SEED);

    for (let i = 0; i < REQUESTS; i++) {
      const { method, path } = pick(operations);
      const query = Array.from(
        { length: below(3) },
        () =>
          `${pick(PARAMETERS)}=${below(4) === 0 ? pick(['%', '%FF', '%00', '+', '=']) : encodeURIComponent(pick(TEXTS).toWellFormed())}`,
      );
      const target = `${path.replace(/\{\w+\}/g, () => pick(IDS))}${query.length > 0 ? '?' : ''}${query.join('&')}`;
      const body = method === 'GET' ? undefined : bodyOf(pick, below);
      const type =
        below(10) === 0
          ? pick(['text/plain', 'application/jsonx', '', 'application/json; charset=latin1'])
          : 'application/json';
      const headers = [
        'Content-Type',
        type,
        ...(below(3) > 0 ? ['SSO_USER', pick(['alice', 'bruno', ''])] : []),
      ];
      const answer = await send(house.url + target, {
        method,
        headers,
        ...(body !== undefined && { body }),
      });
      check(answer, `${method} ${target.slice(0, 200)} ${String(body).slice(0, 200)}`);
    }
    expect((await house.ask(null, 'GET', '/api/sante')).body).toEqual({ etat: 'ok' });
  },
);

/** Every operation but the event stream, which does not end, and those that ask the outside. */
function operationsOf(document: unknown): { method: string; path: string }[] {
  const { paths } = document as { paths: Record<string, Record<string, unknown>> };
  return Object.entries(paths)
    .filter(([path]) => !/evenements|recherche-|bibliographie|couvertures/.test(path))
    .flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
    );
}

function bodyOf(pick: <T>(from: readonly T[]) => T, below: (n: number) => number): string {
  if (below(8) === 0)
    return pick([
      '',
      '{',
      '[]',
      'null',
      '"a"',
      '{"a":1}}',
      '{"__proto__":{"a":1}}',
      '{"titre":1e999}',
      '\ufeff{}',
      '{"a":"\\ud800"}',
      '['.repeat(5000),
    ]);
  const entries = Array.from({ length: below(6) }, () => [pick(FIELDS), pick(VALUES)]);
  const database =
    below(2) === 0
      ? { titre: 'Un titre', format: 'Physique', emprunteur: 'Zoé', nom: 'Un nom', statut: 1 }
      : {};
  return JSON.stringify({ ...database, ...Object.fromEntries(entries) });
}

function check({ status, headers, text, json }: Received, request: string): void {
  expect(status, request).toBeLessThan(500);
  expect(text, request).not.toMatch(
    /sqlite|SELECT |node_modules|\.ts:|\bat [\w.]+ \(|\/work\/|\/tmp\//,
  );
  if (status < 400) return;
  expect(headers['content-type'], request).toBe('application/json; charset=utf-8');
  const error = json();
  expect(error, request).toMatchObject({
    statusCode: status,
    code: expect.stringMatching(/^[A-Z_]+$/) as string,
    error: expect.any(String) as string,
  });
  expect(error['message'], request).toMatch(/\S.*[.!?]$/);
  if (error['code'] === 'REQUETE_INVALIDE')
    for (const { champ, message } of error['champs'] as { champ: string; message: string }[])
      expect([champ, message], request).toEqual([
        expect.stringMatching(/\S/),
        expect.stringMatching(/\S/),
      ]);
}
