// @module-tag random
import { expect, test } from 'vitest';
import { renewAll } from '#server/start/context';
import { askAbout, writeAnswer } from '#server/subjects/complements';
import { ean13CheckDigit } from '#shared/codes';
import type { AutreCouverture } from '#shared/couvertures';
import { atLeastOne } from '../support/at-least-one.ts';
import { envelope, recordXml } from '../../demo/upstream/sru.ts';
import { gives, openSource } from '../couvertures/support/source.ts';
import { openHouse, type Answer, type House } from '../support/house.ts';
import { png } from '../support/png.ts';
import { random, runs, SEED } from '../support/random.ts';
import { doAct, KINDS, PEOPLE } from './support/acts.ts';
import { ranked } from './support/compare.ts';

/** A person's write and how to undo it: a modification, or an import by its own operation. */
interface Done {
  readonly who: string | null;
  readonly path: string;
  readonly method: 'POST' | 'DELETE';
  readonly id: number;
}

type Chance = ReturnType<typeof random>;

const idOf = ({ headers }: Answer): number => Number(headers.get('X-Modification'));

const actOf = (who: string | null, answer: Answer): Done => {
  const id = idOf(answer);
  return { who, method: 'POST', path: `/api/modifications/${String(id)}/annulation`, id };
};

async function undoAct(house: House, { who, method, path }: Done, query = ''): Promise<Answer> {
  const answer = await house.ask(who, method, path + query);
  const { code } = answer.body as { code?: string };
  expect(code).toBe(answer.status >= 300 ? 'ANNULATION_IMPOSSIBLE' : undefined);
  return answer;
}

const TITRES = ['Sido', 'Dune, tome 2', 'Ida'];

const actsOf = (who: string | null, answer: Answer): Done[] =>
  idOf(answer) === 0 ? [] : [actOf(who ?? 'ana', answer)];

/** Uploads a file as a reader. */
async function sendBytes(
  house: House,
  who: string,
  [method, path]: readonly ['POST' | 'PUT', string],
  bytes: Buffer | string,
): Promise<Answer> {
  const response = await fetch(house.url + path, {
    method,
    headers: { ...house.headersOf(who), 'Content-Type': 'application/octet-stream' },
    body: typeof bytes === 'string' ? bytes : new Uint8Array(bytes),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Imports a file; sometimes undoes and redoes it at once, which counts as a single step. */
async function importFile(house: House, { integer }: Chance, file: Buffer | string) {
  const answer = await sendBytes(house, 'ana', ['POST', '/api/importations?essai=false'], file);
  // The export of an empty household.
  if (JSON.stringify(answer.body).includes('Ce fichier n’a aucune ligne.')) return [];
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  if (idOf(answer) === 0) return [];
  const path = `/api/importations/${String((answer.body as { id: number }).id)}`;
  const one = { who: 'ana', method: 'DELETE', path } as const;
  if (integer(3) !== 0) return [{ ...one, id: idOf(answer) }];
  expect((await house.ask('ana', 'DELETE', path)).status).toBe(200);
  const again = await house.ask('ana', 'POST', `${path}/execution`, {});
  expect(again.status, JSON.stringify(again.body)).toBeLessThan(300);
  return [{ ...one, id: idOf(again) }];
}

/** Imports a small table of books: in a series, lent, wished for, or read. */
function importTable(house: House, chance: Chance): Promise<Done[]> {
  const { integer, oneOf } = chance;
  const rows = Array.from({ length: 1 + integer(3) }, () =>
    [
      `${oneOf(TITRES)} ${String(integer(3))}`,
      oneOf(['Colette', 'S. Colette', 'Anna Ève', '']),
      oneOf(['', 'Mer', 'Ville']),
      String(1 + integer(4)),
      oneOf(['', 'Lu', 'Pense-bête', 'Abandonné']),
      oneOf(['', 'Luc']),
      oneOf(['', '3', '4,5']),
      oneOf(['', '2019-03-12', '2019 , 2020-01/']),
      oneOf(['', 'Un mot']),
    ].join(';'),
  );
  const file = [
    'Titre;Auteurs;Série;Numéro;Statut;Emprunteur;Étoiles;Lectures;Mon mot',
    ...rows,
  ].join('\n');
  return importFile(house, chance, file);
}

/** The stored export of each household. */
const exports = new WeakMap<House, Buffer>();

/** Stores an export, or imports the stored one. */
async function importExport(house: House, chance: Chance): Promise<Done[]> {
  const kept = exports.get(house);
  if (kept !== undefined && chance.integer(3) > 0) return importFile(house, chance, kept);
  const headers = house.headersOf('ana');
  const response = await fetch(`${house.url}/api/export.zip`, { headers });
  exports.set(house, Buffer.from(await response.arrayBuffer()));
  return [];
}

const PICTURES = [40, 120, 200].map((level) =>
  png({ width: 60, height: 90, pixels: new Uint8Array(60 * 90).fill(level) }),
);

/** Changes or removes the cover of a book or a wish. */
async function cover(house: House, { integer, oneOf }: Chance): Promise<Done[]> {
  const who = oneOf(['ana', 'bob']);
  const path = `/api/${oneOf(['livres', 'souhaits'])}/${String(1 + integer(8))}/couverture`;
  const answer =
    integer(4) === 0
      ? await house.ask(who, 'DELETE', path)
      : await sendBytes(house, who, ['PUT', path], oneOf(PICTURES));
  return actsOf(who, answer);
}

/** Chooses a source's cover. */
async function coverOfSource(house: House, { integer, oneOf }: Chance): Promise<Done[]> {
  const path = `/api/${oneOf(['livres', 'souhaits'])}/${String(1 + integer(8))}/autres-couvertures`;
  const { status, body } = await house.ask('ana', 'GET', path);
  if (status !== 200) return [];
  const [offer] = body as AutreCouverture[];
  return offer === undefined
    ? []
    : actsOf('ana', await house.ask('ana', 'PUT', path, { cle: offer.cle }));
}

/** Accepts the catalogues' data for a book, adding an ISBN first if no book has one. */
async function complete(house: House, { integer }: Chance): Promise<Done[]> {
  const { database } = house.context;
  const known = database.get<{ id: number; isbn: string }>(
    'SELECT id, isbn FROM Livre WHERE isbn IS NOT NULL AND (editeur IS NULL OR annee IS NULL)',
  );
  if (known === undefined) {
    const path = `/api/livres/${String(1 + integer(8))}`;
    const { status, body } = await house.ask('ana', 'GET', path);
    if (status !== 200) return [];
    const digits = `97829480${String(1_000 + integer(9_000))}`;
    const isbn = digits + ean13CheckDigit(digits);
    return actsOf('ana', await house.ask('ana', 'PUT', path, { ...(body as object), isbn }));
  }
  const answer = { titre: null, editeur: 'Météores', annee: 1950 + integer(9), nombrePages: 90 };
  database.write((tx) => {
    askAbout(tx, [known.id]);
    writeAnswer(tx, known, 'trouve', answer);
  });
  const path = '/api/complements/acceptation';
  return actsOf('ana', await house.ask('ana', 'POST', path, { livres: [known.id] }));
}

const latestAct = ({ context: { database } }: House): number =>
  database.value<number>('SELECT coalesce(max(id), 0) FROM Modification') ?? 0;

/** Runs the start-up pass. */
function startAnew(house: House): Done[] {
  const before = latestAct(house);
  renewAll(house.context.database, null);
  const id = latestAct(house);
  const path = `/api/modifications/${String(id)}/annulation`;
  return id === before ? [] : [{ who: 'ana', method: 'POST', path, id }];
}

/** Undoes an earlier modification, sometimes together with its obstacles. */
async function regret(house: House, done: readonly Done[], { integer, oneOf }: Chance) {
  const acts = done.filter(({ method }) => method === 'POST').slice(-12);
  if (acts.length === 0) return [];
  const earlier = oneOf(acts);
  const query = integer(2) === 0 ? '' : '?avec=obstacles';
  const answer = await undoAct(house, earlier, query);
  return answer.status === 201 ? [actOf(earlier.who, answer)] : [];
}

const RARE = [importTable, importExport, cover, coverOfSource, complete, startAnew] as const;

/** One step of a person: a write of any kind, or an undo. */
async function live(house: House, done: readonly Done[], chance: Chance): Promise<Done[]> {
  const { integer, oneOf } = chance;
  const choice = integer(20);
  if (choice < 4) return regret(house, done, chance);
  const rare = RARE[choice - 4];
  if (rare !== undefined) return rare(house, chance);
  const who = oneOf(PEOPLE);
  const numbers = { a: integer(8), b: integer(8), c: integer(8) };
  const answer = await doAct(house, { kind: integer(KINDS), who, ...numbers });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500);
  return actsOf(who, answer);
}

/** A household whose sources know covers for some titles. */
async function openHouseWithCovers(): Promise<House> {
  const source = await openSource();
  const records = ['Sido', 'Ida', 'Chéri', 'L’Atlas'].map((titre, n) =>
    recordXml({ ark: `cb90000000${String(n)}`, titre, numeros: [] }),
  );
  source.behave('/api/SRU', gives(Buffer.from(envelope(records)), 'application/xml'));
  source.behave('/couverture', gives(PICTURES[0] ?? Buffer.alloc(0), 'image/png'));
  return openHouse(undefined, {
    OPEN_LIBRARY_COVERS_URL: source.url,
    OPEN_LIBRARY_URL: source.url,
    BNF_SRU_URL: `${source.url}/api/SRU`,
  });
}

/**
 * Plays a random history with at least one modification; returns the modifications, and the household before each.
 */
async function history(house: House, seed: number, count: number) {
  const chance = random(seed);
  const done: Done[] = [];
  const states: object[] = [];
  for (let i = 0; i < count || done.length === 0; i++) {
    const before = ranked(house.context.database);
    for (const one of await live(house, done, chance)) {
      done.push(one);
      states.push(before);
    }
  }
  return { done, states };
}

test('acts of all kinds go back to an empty household', async () => {
  for (let n = 0; n < runs(8); n++) {
    const house = await openHouseWithCovers();
    const { database } = house.context;
    const { done, states } = await history(house, SEED + n, 60);
    for (const one of atLeastOne(done.toReversed())) {
      const { status, body } = await undoAct(house, one);
      const seen = `seed ${String(SEED + n)}, act ${String(one.id)}: ${JSON.stringify(body)}`;
      expect(status, seen).toBe(one.method === 'POST' ? 201 : 200);
      expect(ranked(database), seen).toEqual(states.pop());
    }
    await house.close();
  }
});

/** Whether an obstacle has written another person's data. */
const isOfAnother = (house: House, { who }: Done, { obstacles }: Refused): boolean =>
  obstacles.some(
    ({ id }) =>
      house.context.database.value(
        `SELECT 1 FROM Trace WHERE acte = ? AND coalesce(apres, avant) ->> 'utilisateur' <> ?`,
        id,
        who ?? '',
      ) !== undefined,
  );

interface Refused {
  readonly raison: string;
  readonly obstacles: readonly { readonly id: number }[];
}

/** Refusals without obstacles. */
const REFUSED = [
  'Seule la personne qui l’a fait peut l’annuler.',
  'Cette modification est déjà annulée.',
];

/** Expects a refusal to change nothing, and to name its obstacles, the newest first. */
function checkRefused(
  house: House,
  answer: Answer,
  { before, seen }: { readonly before: object; readonly seen: string },
): Refused {
  const refused = answer.body as Refused;
  const ids = refused.obstacles.map(({ id }) => id);
  expect(ranked(house.context.database), seen).toEqual(before);
  expect(REFUSED.includes(refused.raison) || ids.length > 0, seen).toBe(true);
  expect(
    ids.toSorted((a, b) => b - a),
    seen,
  ).toEqual(ids);
  return refused;
}

test('an act is undone in any order or names obstacles', async () => {
  let undoings = 0;
  for (let n = 0; n < runs(8); n++) {
    const house = await openHouseWithCovers();
    const { done } = await history(house, SEED + n, 40);
    const log = [...done];
    const { integer } = random(SEED + n);
    const shuffled = done
      .filter(({ method }) => method === 'POST')
      .map((one) => ({ one, key: integer(1_000_000) }))
      .sort((a, b) => a.key - b.key);
    for (const { one } of shuffled) {
      const before = ranked(house.context.database);
      let answer = await undoAct(house, one);
      const seen = `seed ${String(SEED + n)}, act ${String(one.id)}: ${JSON.stringify(answer.body)}`;
      if (answer.status !== 201) {
        const { raison, obstacles } = checkRefused(house, answer, { before, seen });
        // Imports are undone by their own operation, personal writes by their author.
        const imports = house.context.database.values<number>(
          "SELECT id FROM Modification WHERE operation = 'importer'",
        );
        if (REFUSED.includes(raison) || obstacles.some(({ id }) => imports.includes(id))) continue;
        const refused = answer.body as Refused;
        answer = await undoAct(house, one, '?avec=obstacles');
        if (answer.status === 409 && isOfAnother(house, one, refused)) continue;
      }
      expect(answer.status, `${seen} with obstacles: ${JSON.stringify(answer.body)}`).toBe(201);
      log.push(actOf(one.who, answer));
      undoings++;
    }
    for (const one of log.toReversed()) {
      const { status, body } = await undoAct(house, one);
      const seen = `seed ${String(SEED + n)}, act ${String(one.id)}: ${JSON.stringify(body)}`;
      expect(status, seen).toBe(one.method === 'POST' ? 201 : 200);
    }
    expect(Object.values(ranked(house.context.database)).flat()).toEqual([]);
    await house.close();
  }
  // A single history may consist of imports only.
  expect(undoings).toBeGreaterThan(0);
});

test('an undoing with its obstacles is undone to the letter', async () => {
  for (let n = 0; n < runs(8); n++) {
    const house = await openHouseWithCovers();
    const { database } = house.context;
    const chance = random(SEED + n);
    const done: Done[] = [];
    for (let i = 0; i < 30; i++) {
      done.push(...(await live(house, done, chance)));
      const acts = done.filter(({ method }) => method === 'POST');
      if (acts.length === 0) continue;
      const one = chance.oneOf(acts);
      const before = ranked(database);
      const answer = await undoAct(house, one, '?avec=obstacles');
      const seen = `seed ${String(SEED + n)}, act ${String(one.id)} after ${String(i)}: ${JSON.stringify(answer.body)}`;
      if (answer.status !== 201) {
        checkRefused(house, answer, { before, seen });
        continue;
      }
      const again = await undoAct(house, actOf(one.who, answer));
      expect(again.status, `${seen} undone: ${JSON.stringify(again.body)}`).toBe(201);
      expect(ranked(database), seen).toEqual(before);
    }
    await house.close();
  }
});
