import fc from 'fast-check';
import type { Auteur } from '#shared/auteurs';
import type { Emplacement } from '#shared/emplacements';
import type { Serie } from '#shared/series';
import { anyEntry, atOnePlace, ENTRIES, NOMS, ofOneKind } from '../support/entries.ts';
import type { House } from '../support/house.ts';
import { png } from '../support/png.ts';

const user = fc.constantFrom('ana', 'bob');
const nom = fc.constantFrom(...NOMS);
/** The index of an existing record, modulo their number. */
const which = fc.nat(30);

/** A person's action; refused ones are skipped. */
const ofRecords = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('livre' as const),
      by: fc.constantFrom('ana', 'bob', null),
      body: anyEntry(ENTRIES.livres),
    }),
  },
  fc.record({ kind: fc.constant('suppression' as const), livre: which }),
  fc.record({ kind: fc.constantFrom('fusions' as const, 'refus' as const), a: which, b: which }),
  fc.record({ kind: fc.constant('nom' as const), a: which, nom }),
  fc.record({
    kind: fc.constant('pret' as const),
    livre: which,
    body: anyEntry(ENTRIES.prets),
    isReturned: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('emplacement' as const),
    body: anyEntry(ENTRIES.emplacements),
    parent: fc.option(which),
    livre: which,
  }),
  fc.record({
    kind: fc.constant('lecture' as const),
    by: user,
    body: anyEntry(ENTRIES.lectures).map(atOnePlace),
    livre: fc.option(which),
  }),
  fc.record({ kind: fc.constant('statut' as const), by: user, livre: which, statut: fc.nat(2) }),
  fc.record({ kind: fc.constant('couverture' as const), livre: which, grey: fc.nat(3) }),
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('serie' as const),
      body: anyEntry(ENTRIES.series),
      parent: fc.option(which),
      places: fc.array(fc.record({ body: anyEntry(ENTRIES.places), livre: fc.option(which) }), {
        maxLength: 3,
      }),
    }),
  },
  fc.record({ kind: fc.constant('placeSouhaitee' as const), by: user, serie: which, place: which }),
  fc.record({
    kind: fc.constant('numero' as const),
    revue: anyEntry(ENTRIES.revues),
    body: anyEntry(ENTRIES.numeros),
  }),
  fc.record({
    kind: fc.constant('souhaits' as const),
    by: user,
    body: anyEntry(ENTRIES.souhaits),
  }),
  fc.record({
    kind: fc.constant('souhaits-revues' as const),
    by: user,
    body: anyEntry(ENTRIES['souhaits-revues']),
  }),
  fc.record({
    kind: fc.constant('objectifs' as const),
    by: user,
    body: anyEntry(ENTRIES.objectifs),
  }),
);

const selection = fc.record({
  kind: fc.constant('selections' as const),
  by: user,
  body: anyEntry(ENTRIES.selections).map(ofOneKind),
});

export const step = fc.oneof(
  { weight: 14, arbitrary: ofRecords },
  { weight: 1, arbitrary: selection },
);
export type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

export const steps: fc.Arbitrary<Step[]> = fc.array(step, { maxLength: 40, size: 'max' });

/** Fills a household with twelve books, and records of all other exported kinds. */
export async function fill(house: House, seed: number): Promise<void> {
  const sampled = fc.sample(ofRecords, { numRuns: 80, seed });
  const livres = sampled.filter(({ kind }) => kind === 'livre').slice(0, 12);
  const others = sampled.filter(({ kind }) => kind !== 'livre' && kind !== 'suppression');
  await play(house, [...livres, ...others, ...fc.sample(selection, { numRuns: 4, seed })]);
}

export type Asker = Pick<House, 'ask' | 'url' | 'headersOf'>;

/** Performs the actions in turn. */
export async function play(house: Asker, todo: readonly Step[]): Promise<void> {
  const livres: number[] = [];
  for (const each of todo) {
    const id = await playOne(house, each, livres);
    if (each.kind === 'livre' && id !== null) livres.push(id);
  }
}

const at = <T>(some: readonly T[], index: number): T | undefined => some[index % some.length];

async function playOne(
  house: Asker,
  todo: Step,
  livres: readonly number[],
): Promise<number | null> {
  const ask = async (by: string | null, method: string, path: string, body?: unknown) => {
    const answer = await house.ask(by, method, path, body);
    if (answer.status >= 500) throw new Error(`${method} ${path}: ${answer.status}`);
    return answer.status < 400 ? answer.body : null;
  };
  const list = async <T>(path: string) => (await ask('ana', 'GET', path)) as T[];
  const idOf = (answer: unknown) => (Object(answer) as { id?: number }).id ?? null;
  const livre = 'livre' in todo && todo.livre !== null ? at(livres, todo.livre) : undefined;
  switch (todo.kind) {
    case 'livre':
      return idOf(await ask(todo.by, 'POST', '/api/livres?confirmerDoublon=true', todo.body));
    case 'emplacement': {
      const known = await list<Emplacement>('/api/emplacements');
      const parentId = todo.parent === null ? null : (at(known, todo.parent)?.id ?? null);
      const created = idOf(
        await ask('ana', 'POST', '/api/emplacements', { ...todo.body, parentId }),
      );
      await ask('ana', 'PUT', `/api/livres/${livre}/emplacement`, { emplacementId: created });
      return null;
    }
    case 'lecture':
      await ask(todo.by, 'POST', '/api/lectures', { ...todo.body, livreId: livre ?? null });
      return null;
    case 'suppression':
      await ask('ana', 'DELETE', `/api/livres/${livre}`);
      return null;
    case 'pret': {
      const pret = idOf(await ask('bob', 'POST', `/api/livres/${livre}/prets`, todo.body));
      if (todo.isReturned) await ask('ana', 'POST', `/api/prets/${pret}/retour`, {});
      return null;
    }
    case 'statut':
      await ask(todo.by, 'PUT', `/api/livres/${livre}/statut`, { statut: todo.statut });
      return null;
    case 'couverture':
      await putCover(house, livre, todo.grey);
      return null;
    case 'fusions':
    case 'refus': {
      const auteurs = await list<Auteur>('/api/auteurs');
      const pair = [at(auteurs, todo.a)?.id, at(auteurs, todo.b)?.id];
      await ask('ana', 'POST', `/api/auteurs/${todo.kind}`, { auteurs: pair });
      return null;
    }
    case 'nom': {
      const auteur = at(await list<Auteur>('/api/auteurs'), todo.a);
      await ask('ana', 'PUT', `/api/auteurs/${auteur?.id}`, { nom: todo.nom });
      return null;
    }
    case 'serie': {
      const series = await list<Serie>('/api/series');
      const parentId = todo.parent === null ? null : (at(series, todo.parent)?.id ?? null);
      const places = todo.places.map(({ livre: index, body }) => ({
        ...body,
        livreId: index === null ? null : (at(livres, index) ?? null),
      }));
      await ask('ana', 'POST', '/api/series', { ...todo.body, parentId, places });
      return null;
    }
    case 'placeSouhaitee': {
      const places = at(await list<Serie>('/api/series'), todo.serie)?.places ?? [];
      await ask(todo.by, 'POST', `/api/places/${at(places, todo.place)?.id}/souhait`, {});
      return null;
    }
    case 'numero':
      await ask('ana', 'POST', '/api/revues/numeros', {
        revue: todo.revue,
        numero: todo.body,
      });
      return null;
    case 'souhaits':
    case 'souhaits-revues':
    case 'objectifs':
    case 'selections':
      await ask(todo.by, 'POST', `/api/${todo.kind}`, todo.body);
      return null;
  }
}

async function putCover(house: Asker, livre: number | undefined, grey: number): Promise<void> {
  const pixels = new Uint8Array(600).fill(grey * 60);
  await fetch(`${house.url}/api/livres/${livre}/couverture`, {
    method: 'PUT',
    headers: house.headersOf('ana'),
    body: new Uint8Array(png({ width: 20, height: 30, pixels })),
  });
}
