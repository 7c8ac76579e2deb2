import { expect, test } from 'vitest';
import { collectionNames } from '#shared/collection-names';
import type { Emplacement } from '#shared/emplacements';
import type { Livre, LivreDocument } from '#shared/livres';

import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { runs } from '../support/random.ts';
import { pullAll } from '../support/replication.ts';
import { atLeastOne } from '../support/at-least-one.ts';
import { archiveOf } from './archive.ts';
import { livre, DATE } from './records.ts';
import { fill } from './random-household.ts';
import { saveCopy } from './saved-copy.ts';
import { importInto } from './support.ts';

const READERS = ['ana', 'bob'] as const;

type Documents = Readonly<Record<string, Record<number, object>>>;

/**
 * Everything that a reader's device has, without the history; covers are fetched again. Authors without books are
 * omitted: they exist for refused merges, which devices do not have.
 */
async function documents(house: House, utilisateur: string): Promise<Documents> {
  const held: Record<string, Record<number, object>> = {};
  for (const name of collectionNames) if (name !== 'modifications') held[name] = {};
  const { changements } = await pullAll(house, utilisateur);
  const named = new Set(
    changements.flatMap(({ collection, document }) =>
      collection === 'livres' && document !== null ? document.auteurs.map(({ id }) => id) : [],
    ),
  );
  for (const { collection, id, document } of changements)
    if (document !== null && (collection !== 'auteurs' || named.has(id)))
      Object.assign(held[collection] ?? {}, { [id]: { ...document, couverture: null } });
  return held;
}

const list = async <T>(house: House, reader: string, path: string): Promise<T[]> =>
  (await house.ask(reader, 'GET', path)).body as T[];

const idsOf = async (house: House, reader: string, path: string): Promise<number[]> =>
  (await list<{ id: number }>(house, reader, path)).map(({ id }) => id);

/** A household of two readers with records of every kind, manual orders, and gaps in the ids. */
async function livedIn(seed: number): Promise<House> {
  const house = await openHouse();
  const ask = async (reader: string, method: string, path: string, body?: object) => {
    const { status } = await house.ask(reader, method, path, body);
    expect([200, 201, 204], `${method} ${path}`).toContain(status);
  };
  for (const titre of ['Premier', 'Deuxième', 'Troisième'])
    await ajouterLivre(house, {
      titre,
      themes: ['Mer'],
      details: [{ nom: 'Prix', valeur: titre }],
    });
  for (const nom of ['Grenier', 'Salon', 'Cave'])
    await ask('ana', 'POST', '/api/emplacements', { nom });
  await ask('ana', 'POST', '/api/series', {
    titre: 'Vide',
    places: [{ titre: 'Un' }, { titre: 'Deux' }],
  });
  await ask('ana', 'POST', '/api/revues/numeros', {
    revue: { titre: 'Rivages' },
    numero: { numero: '1', themes: ['Mer'], articles: ['Le phare'] },
  });
  await fill(house, seed);
  for (const reader of READERS) {
    await ask(reader, 'POST', '/api/objectifs', { annee: '2026', unite: 'livres', nombre: 24 });
    for (const titre of ['Sido', 'Chéri', 'Gigi']) {
      await ask(reader, 'POST', '/api/souhaits', { titre: `${titre} ${reader}` });
      await ask(reader, 'POST', '/api/souhaits-revues', { titre: `${titre} ${reader}` });
      await ask(reader, 'POST', '/api/lectures', { titre, debut: '2026-03-01', note: 7 });
    }
    for (const kind of ['souhaits', 'souhaits-revues']) {
      const ids = await idsOf(house, reader, `/api/${kind}`);
      await ask(reader, 'PUT', `/api/${kind}/ordre`, { ids: ids.toReversed() });
      await ask(reader, 'DELETE', `/api/${kind}/${ids[1]}`);
    }
  }
  const livres = await list<Livre>(house, 'ana', '/api/livres?tri=ajout');
  await ask('bob', 'PUT', `/api/livres/${livres[0]?.id}/statut`, { statut: 2 });
  await ask('ana', 'PUT', `/api/livres/${livres[0]?.id}/statut`, { statut: 1 });
  const free = livres.filter(({ pret, format }) => pret === null && format === 'Physique');
  const [borrowed, lent] = free.splice(-2);
  await ask('ana', 'PUT', `/api/livres/${borrowed?.id}/emprunt`, {
    emprunteA: { nom: 'Lise', depuis: '2026-01-02', aRendre: '2026-03-03' },
  });
  for (const emprunteur of ['Zoé', 'zoe']) {
    await ask('ana', 'POST', `/api/livres/${lent?.id}/prets`, { emprunteur });
    const prets = await idsOf(house, 'ana', `/api/livres/${lent?.id}/prets`);
    if (emprunteur === 'Zoé') await ask('ana', 'POST', `/api/prets/${prets[0]}/retour`);
  }
  await ask('ana', 'DELETE', `/api/livres/${free[1]?.id}`);
  const [first, ...others] = (await list<Emplacement>(house, 'ana', '/api/emplacements')).filter(
    ({ parentId }) => parentId === null,
  );
  await ask('ana', 'PUT', '/api/emplacements/ordre', {
    ids: [...others, first].flatMap((each) => each?.id ?? []).toReversed(),
  });
  await ask('ana', 'DELETE', `/api/emplacements/${others[0]?.id}`);
  const standing = free.slice(2, 5).map(({ id }) => id);
  for (const id of standing)
    await ask('ana', 'PUT', `/api/livres/${id}/emplacement`, { emplacementId: first?.id });
  await ask('ana', 'PUT', `/api/emplacements/${first?.id}/livres`, {
    ids: standing.toReversed(),
  });
  return house;
}

async function giveBack(
  bytes: Buffer,
  to: House,
  reader: string,
): Promise<Record<string, unknown>> {
  const { status, body } = await importInto(to, bytes, 'essai=false', reader);
  expect([status, body['refuses'], body['raisons']]).toEqual([201, [], []]);
  return body;
}

test.each(Array.from({ length: runs(4) }, (_, index) => 51 + index))(
  'a lost house is back from its phones, document by document (%i)',
  { tags: 'random' },
  async (seed) => {
    const house = await livedIn(seed);
    const [ofAna, ofBob] = [await documents(house, 'ana'), await documents(house, 'bob')];
    // Each reader shares their lists again.
    for (const name of collectionNames.filter(
      (each) => each !== 'modifications' && each !== 'partages',
    ))
      atLeastOne(Object.values(ofAna[name] ?? {}));
    const copies = { ana: await saveCopy(house, 'ana'), bob: await saveCopy(house, 'bob') };
    const other = await openHouse();
    await giveBack(copies.ana, other, 'ana');
    expect(await documents(other, 'ana')).toEqual(ofAna);
    await giveBack(copies.bob, other, 'bob');
    expect(await documents(other, 'bob')).toEqual(ofBob);
    for (const reader of READERS) await giveBack(copies[reader], other, reader);
    expect(await documents(other, 'ana')).toEqual(ofAna);
    expect(await documents(other, 'bob')).toEqual(ofBob);
  },
);

const livresOf = async (house: House) =>
  Object.values((await documents(house, 'ana'))['livres'] ?? {}) as LivreDocument[];

test('a phone’s replica restores its additional records, without duplicates of changed ones', async () => {
  const house = await openHouse();
  const { id } = await ajouterLivre(house, { titre: 'Regain' });
  const early = await saveCopy(house, 'ana');
  await house.ask('bob', 'PUT', `/api/livres/${id}`, {
    titre: 'Regain, suite',
    format: 'Physique',
  });
  await house.ask('bob', 'POST', '/api/livres', { titre: 'Colline', format: 'Physique' });
  const late = await saveCopy(house, 'bob');
  const [, theirs] = await livresOf(house);
  const other = await openHouse();
  await giveBack(early, other, 'ana');
  expect(await giveBack(late, other, 'bob')).toMatchObject({ nouveaux: 1, presents: 1 });
  const [regain, ...more] = await livresOf(other);
  expect([regain?.titre, more]).toEqual(['Regain', [theirs]]);
  expect(theirs?.ajoutePar).toBe('bob');
});

test('a restored backup gets a phone’s later records unchanged', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Regain' });
  await house.ask('bob', 'POST', '/api/livres', { titre: 'Colline', format: 'Physique' });
  const copy = await saveCopy(house, 'ana');
  const before = await livresOf(house);
  const [, theirs] = before;
  await house.ask('ana', 'DELETE', `/api/livres/${theirs?.id}`);
  await giveBack(copy, house, 'ana');
  const after = await livresOf(house);
  // The history has assigned its id to another modification.
  expect(after.map(({ id: _, ...rest }) => rest)).toEqual(before.map(({ id: _, ...rest }) => rest));
});

test('records restored from a copy are undone and redone as any import', async () => {
  const house = await livedIn(61);
  const other = await openHouse();
  const body = await giveBack(await saveCopy(house), other, 'ana');
  const path = `/api/importations/${String(body['id'])}`;
  expect((await other.ask('ana', 'DELETE', path)).body).toEqual({
    retires: body['nouveaux'],
    gardes: 0,
  });
  expect(other.context.records.isEmpty()).toBe(true);
  expect((await other.ask('ana', 'POST', `${path}/execution`, {})).status).toBe(200);
  const dated = async (at: House) =>
    (await livresOf(at)).map(({ titre, dateAjout, ajoutePar }) => [titre, dateAjout, ajoutePar]);
  expect(await dated(other)).toEqual(await dated(house));
});

test.each<[string, Parameters<typeof archiveOf>[0]]>([
  ['a book twice', { livres: [livre(1, 'Un'), livre(1, 'Deux')] }],
  ['an id beyond all', { livres: [livre(2 ** 52, 'Un')] }],
  [
    'a wish twice',
    { souhaits: [1, 1].map((id) => ({ id, titre: `${id}`, rang: 1, dateAjout: DATE })) },
  ],
  [
    'a place in two series',
    {
      series: [4, 5].map((id) => ({
        id,
        titre: `Série ${id}`,
        position: 0,
        places: [{ id: 41, titre: 'Un', numero: '1', position: 0 }],
      })),
    },
  ],
])('an archive with %s is refused', async (_, records) => {
  const house = await openHouse();
  const { status, body } = await importInto(house, archiveOf(records));
  expect([status, body['code']]).toEqual([400, 'FICHIER_INVALIDE']);
  expect(body['message']).toMatch(/le même numéro|trop grand/);
  expect(house.context.records.isEmpty()).toBe(true);
});

test('dangling references of an archive are reported', async () => {
  const house = await openHouse();
  const records = {
    emplacements: [{ id: 7, nom: 'Salon', rang: 1, parentId: 70 }],
    livres: [livre(1, 'Un', { emplacementId: 99 })],
    revues: [{ id: 1, titre: 'Rivages' }],
    numeros: [{ id: 1, revueId: 2, numero: '1' }],
    lectures: [{ id: 1, livreId: 9, titre: 'Deux' }],
  };
  const { status, body } = await importInto(house, archiveOf(records));
  expect([
    status,
    (body['avertissements'] as { raison: string }[]).map(({ raison }) => raison),
  ]).toEqual([
    201,
    [
      'emplacements.json, fiche 1 : parentId laissé de côté (70) : ne mène à aucune fiche de cette archive',
      'numeros.json, fiche 1 : revueId laissé de côté (2) : ne mène à aucune fiche de cette archive, ce numéro n’entre pas',
      'lectures.json, fiche 1 : livreId laissé de côté (9) : ne mène à aucune fiche de cette archive',
      'emplacementId laissé de côté (99) : ne mène à aucune fiche de cette archive',
    ],
  ]);
});

test('another person’s archive names the owner of its personal part', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Regain' });
  const { body } = await importInto(await openHouse(), await saveCopy(house, 'ana'), '', 'bob');
  expect(body['avertissements']).toContainEqual(
    expect.objectContaining({
      ligne: null,
      raison:
        'ce qui est personnel dans cette archive est à ana, et vient à vous : à chaque personne d’importer la sienne',
    }),
  );
});

test('out-of-range ids of an archive are replaced', async () => {
  const house = await openHouse();
  const far = 10 ** 12;
  const { status } = await importInto(
    house,
    archiveOf({ livres: [livre(far, 'Loin'), livre(10 ** 10, 'Au bord'), livre(7, 'Près')] }),
  );
  expect(status).toBe(201);
  const ids = (await livresOf(house)).map(({ id, titre }) => [titre, id]);
  expect(new Map(ids.map(([titre, id]) => [titre, id])).get('Près')).toBe(7);
  expect(Math.max(...ids.map(([, id]) => Number(id)))).toBeLessThanOrEqual(10 ** 10 + 2);
});
