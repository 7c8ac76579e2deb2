import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { ajouterEmplacement, lireEmplacement, modifierEmplacement } from '#shared/emplacements';
import { ajouterLecture, lireLecture, modifierLecture } from '#shared/lectures';
import { ajouterSelection, listerSelections, modifierSelection } from '#shared/selections';
import { ajouterSerie, lireSerie, modifierSerie } from '#shared/series';
import { refusalOf } from '$lib/api/call';
import { emplacementsView } from '$lib/records/emplacements/view.svelte';
import { fermerEmplacement } from '$lib/records/emplacements/kind';
import { lecturesView } from '$lib/records/lectures/view.svelte';
import { noterLecture } from '$lib/records/lectures/kind';
import { noterAccueil, partagerSelection, remplacerSelection } from '$lib/records/selections/kind';
import { selectionsView } from '$lib/records/selections/view.svelte';
import { ajouterManquants, changerSerie, placerLivre } from '$lib/records/series/kind.svelte';
import { seriesView } from '$lib/records/series/view.svelte';
import { addLivre, elsewhere, moveIn, moveOut, openCopy, untilCurrent } from './household.ts';

beforeAll(async () => {
  await moveIn();
  openCopy();
  await untilCurrent();
});
afterAll(moveOut);

/** Makes another device write before this page's first write arrives. */
function before(write: () => Promise<unknown>): void {
  const { fetch } = globalThis;
  let isDone = false;
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const { method } = input instanceof Request ? input : new Request(input, init);
    if (method !== 'GET' && !isDone) {
      isDone = true;
      await write();
    }
    return fetch(input, init);
  });
  onTestFinished(() => spy.mockRestore());
}

/** A record as this device shows it. */
async function shown<R>(get: (id: number) => R | undefined, id: number): Promise<R> {
  await expect.poll(() => get(id)).toBeDefined();
  const record = get(id);
  if (record === undefined) throw new Error('a record that has gone');
  return record;
}

test('a location that is closed keeps the note that another device has just written', async () => {
  const { id } = await elsewhere(ajouterEmplacement, { body: { nom: 'Salon' } });
  const emplacement = await shown(emplacementsView.get, id);
  before(() =>
    elsewhere(modifierEmplacement, { params: { id }, body: { nom: 'Salon', note: 'à gauche' } }),
  );
  await fermerEmplacement(emplacement, true);
  const { note, fermeLe } = await elsewhere(lireEmplacement, { params: { id } });
  expect([note, fermeLe === null]).toEqual(['à gauche', false]);
});

test('stars that are noted leave the review that another device has just written', async () => {
  const { id } = await elsewhere(ajouterLecture, { body: { titre: 'Zadig', fin: '2019' } });
  await shown(lecturesView.get, id);
  const body = { titre: 'Zadig', fin: '2019', avis: 'Vif.' };
  before(() => elsewhere(modifierLecture, { params: { id }, body }));
  await noterLecture(id, { note: 9 });
  expect(await elsewhere(lireLecture, { params: { id } })).toMatchObject({ avis: 'Vif.', note: 9 });
});

const CRITERES = { statut: '2' };

test.each([
  [
    'is shown at home',
    noterAccueil,
    true,
    { nom: 'Renommée', accueil: true, partagee: false, criteres: CRITERES },
  ],
  [
    'is shared',
    partagerSelection,
    undefined,
    { nom: 'Renommée', accueil: false, partagee: true, criteres: CRITERES },
  ],
  [
    'is replaced by another search',
    remplacerSelection,
    { nom: 'Autre', criteres: { format: 'Physique' } },
    { nom: 'Renommée', accueil: false, partagee: false, criteres: { format: 'Physique' } },
  ],
] as const)('a selection that %s keeps its new name', async (what, change, to, expected) => {
  const { id } = await elsewhere(ajouterSelection, {
    body: { nom: `Sélection ${what}`, criteres: CRITERES },
  });
  const selection = await shown(selectionsView.get, id);
  const nom = `Renommée ${what}`;
  before(() => elsewhere(modifierSelection, { params: { id }, body: { nom, criteres: CRITERES } }));
  await Reflect.apply(change, undefined, [selection, to]);
  const all = await elsewhere(listerSelections, {});
  expect(all.find((one) => one.id === id)).toMatchObject({ ...expected, nom });
});

/** A series with volumes 1 and 3, both missing. */
async function serie(titre: string) {
  const places = ['1', '3'].map((numero) => ({ titre: `Tome ${numero}`, numero }));
  const { id } = await elsewhere(ajouterSerie, { body: { titre, places } });
  return shown(seriesView.get, id);
}

test('a series that is finished keeps the volume that another device has just added', async () => {
  const known = await serie('Fondation');
  const { id, titre, places } = known;
  const added = { titre: 'Tome 4', numero: '4' };
  before(() =>
    elsewhere(modifierSerie, { params: { id }, body: { titre, places: [...places, added] } }),
  );
  await changerSerie(known, () => ({ nombreTomes: 7 }));
  const now = await elsewhere(lireSerie, { params: { id } });
  expect([now.nombreTomes, now.places.map(({ numero }) => numero)]).toEqual([7, ['1', '3', '4']]);
});

test('a missing volume that another device has just added is not added twice', async () => {
  const known = await serie('Dune');
  const { id, titre, places } = known;
  const [one, ...rest] = places;
  if (one === undefined) throw new Error('a series without its places');
  const added = { titre: 'Le Messie', numero: '2' };
  before(() =>
    elsewhere(modifierSerie, { params: { id }, body: { titre, places: [one, added, ...rest] } }),
  );
  await ajouterManquants(known, ['2'], (numero) => `Tome ${numero}`);
  const now = await elsewhere(lireSerie, { params: { id } });
  expect(now.places.map(({ titre: of }) => of)).toEqual(['Tome 1', 'Le Messie', 'Tome 3']);
});

test('a book is put in its place of a series that was renamed meanwhile, and in none that is taken', async () => {
  const known = await serie('Ravage');
  const { id, places } = known;
  const [place, other] = places;
  if (place === undefined || other === undefined) throw new Error('a series without its places');
  const [first, second] = [await addLivre('Tome un'), await addLivre('Tome un bis')];
  before(() => elsewhere(modifierSerie, { params: { id }, body: { titre: 'Ravages', places } }));
  await placerLivre({ serie: known, place }, first);
  const now = await elsewhere(lireSerie, { params: { id } });
  expect([now.titre, now.places.map(({ livreId }) => livreId)]).toEqual(['Ravages', [first, null]]);
  const error: unknown = await placerLivre({ serie: known, place }, second).catch(
    (failure: unknown) => failure,
  );
  expect(error).toMatchObject({ kind: 'refusal' });
  expect(refusalOf(error)).toBeNull();
  const after = await elsewhere(lireSerie, { params: { id } });
  expect(after.places.map(({ livreId }) => livreId)).toEqual([first, null]);
});
