import { expect, onTestFinished, test } from 'vitest';
import { records } from '$lib/sync/records';
import {
  criteresOf,
  saveHrefOf,
  queryOf,
  openedBy,
  readCriteres,
} from '../../src/lib/livres/selections/criteres.ts';
import { withAbsentFields } from '#shared/absent-fields';
import { collections } from '#shared/collections';
import type { Change } from '#shared/replication';
import { unsafeCast } from '../../src/lib/api/unsafe-cast.ts';
import { makeEmplacement } from '../support/emplacements.ts';
import { WHOLE_CRITERES } from '../support/entries.ts';

const selection = { id: 7, nom: 'A', livres: null, partagee: false, accueil: false, rang: 0 };

/** Shows one book on this device until the test's end. */
function showLivre(fields: object): void {
  onTestFinished(() => records.clear());
  const livre = withAbsentFields(collections.livres.document, {
    id: 1,
    titre: 'Escales',
    format: 'Physique',
    auteurs: [],
    ...fields,
  });
  records.show([unsafeCast<Change>({ collection: 'livres', id: 1, revision: 1, document: livre })]);
}

const params = (query: string) => new URLSearchParams(query);

test('a saved search contains all filters, and reopens the same view', () => {
  showLivre({ themes: ['Polar'], details: [{ nom: 'Prix', valeur: '12' }] });
  const query =
    'recherche=mer+noire&statut=0%2Caucun&theme=Polar&detail=Prix%3A12&tri=annee&inverse=true&affichage=couvertures';
  const criteres = criteresOf(params(query));
  expect(criteres).toEqual({
    recherche: 'mer noire',
    statut: '0,aucun',
    theme: 'Polar',
    detail: 'Prix:12',
    tri: 'annee',
    inverse: true,
  });
  const opened = new URL(openedBy({ ...selection, criteres }), 'http://maison');
  expect(opened.pathname).toBe('/');
  expect(criteresOf(opened.searchParams)).toEqual(criteres);
  expect(queryOf(criteresOf(opened.searchParams))).toBe(queryOf(criteres));
  const form = new URL(saveHrefOf(params(query)), 'http://maison');
  expect([form.pathname, criteresOf(form.searchParams)]).toEqual(['/selections/ajouter', criteres]);
});

test('a criterion that matches nothing is reported, and stays', () => {
  onTestFinished(() => records.clear());
  expect(readCriteres(WHOLE_CRITERES).lost.toSorted()).toEqual(['demain', 'emplacement']);
  expect(openedBy({ ...selection, criteres: WHOLE_CRITERES })).toBe('/selections/7');
  records.tables.emplacements.set(1, makeEmplacement(1, 'Salon'));
  expect(readCriteres({ emplacement: 'aucun' }).lost).toEqual([]);
  const { criteres, lost } = readCriteres({ statut: '0,9', format: 'Cire', theme: 'Mer' });
  expect([lost.toSorted(), criteres]).toEqual([
    ['format', 'statut'],
    { statut: '0', theme: 'Mer' },
  ]);
});

test('a theme, detail or publisher that no book has any more is reported by name', () => {
  const criteres = {
    theme: 'Mer',
    detail: 'Traduction:Lise',
    editeur: 'Gallimard',
    recherche: 'nuit',
  };
  const kept = { ...selection, criteres };
  expect(readCriteres(criteres).gone).toEqual(['Mer', 'Traduction:Lise', 'Gallimard']);
  // The catalogue could only say that nothing was found, without the reason.
  expect(openedBy(kept)).toBe('/selections/7');
  showLivre({
    editeur: 'GALLIMARD',
    themes: ['mer'],
    details: [{ nom: 'traduction', valeur: 'Zoé' }],
  });
  expect(readCriteres(criteres)).toMatchObject({ gone: [], criteres });
  expect(openedBy(kept)).toMatch(/^\/\?/);
});

test('criteria are described in words, the order last', () => {
  const { words } = readCriteres({
    recherche: 'mer',
    format: 'Physique',
    statut: '0,aucun',
    tri: 'annee',
    inverse: true,
  });
  expect(words).toEqual([
    '«\u00a0mer\u00a0»',
    'Papier',
    'À lire',
    'Pas commencé',
    'tri inverse\u00a0: Année',
  ]);
});
