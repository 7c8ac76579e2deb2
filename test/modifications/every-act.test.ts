import { expect, test, vi } from 'vitest';
import { isClearedOnDelete } from '#server/plumbing/database/change-capture';
import type { Database } from '#server/plumbing/database/database';
import { openHouse, type Answer, type House } from '../support/house.ts';
import { householdRows } from './support/household.ts';
import { readWrites } from './support/writes.ts';

const DAY_MS = 86_400_000;

/** One write for each operation, on the household below: its path and body. */
const ACTS: Readonly<Record<string, readonly [path: string, body?: object]>> = {
  'POST /api/livres': ['/api/livres', { titre: 'Ubik', format: 'Physique', auteurs: ['P. Dick'] }],
  'PUT /api/livres/:id': ['/api/livres/1', { titre: 'Dune 2', format: 'Numerique' }],
  'DELETE /api/livres/:id': ['/api/livres/1'],
  'POST /api/livres/lot': ['/api/livres/lot', { ids: [1, 2], action: 'supprimer' }],
  'POST /api/livres/fusions': ['/api/livres/fusions', { garde: 4, part: 6 }],
  'PUT /api/livres/:id/statut': ['/api/livres/1/statut', { statut: 2 }],
  'PUT /api/livres/:id/emplacement': ['/api/livres/1/emplacement', { emplacementId: 1 }],
  'PUT /api/livres/:id/emprunt': ['/api/livres/1/emprunt', { emprunteA: { nom: 'Lise' } }],
  'DELETE /api/livres/:id/emprunt': ['/api/livres/5/emprunt'],
  'PUT /api/livres/:id/serie': ['/api/livres/2/serie', { serie: { titre: 'Neuve' }, numero: '2' }],
  'POST /api/livres/:id/prets': ['/api/livres/1/prets', { emprunteur: 'Zoé' }],
  'POST /api/prets/:id/retour': ['/api/prets/2/retour'],
  'PUT /api/prets/:id': [
    '/api/prets/2',
    { emprunteur: 'Max', datePret: '2026-01-05T12:00:00.000Z' },
  ],
  'PUT /api/auteurs/:id': ['/api/auteurs/1', { nom: 'Franklin Herbert' }],
  'PUT /api/themes/:id': ['/api/themes/1', { nom: 'Océan' }],
  'PUT /api/details': ['/api/details', { nom: 'Prix', nouveau: 'Achat' }],
  'DELETE /api/details': ['/api/details?nom=Prix'],
  'PUT /api/bibliotheque': ['/api/bibliotheque', { nom: 'Rue des Lilas' }],
  'POST /api/auteurs/fusions': ['/api/auteurs/fusions', { auteurs: [2, 3] }],
  'POST /api/auteurs/refus': ['/api/auteurs/refus', { auteurs: [2, 3] }],
  'POST /api/series': ['/api/series', { titre: 'Neuve', parentId: 1, places: [{ titre: 'Un' }] }],
  'PUT /api/series/:id': ['/api/series/1', { titre: 'Autre', places: [{ titre: 'Seul' }] }],
  'DELETE /api/series/:id': ['/api/series/1'],
  'PUT /api/series/:id/ordre': [
    '/api/series/1/ordre',
    { elements: [{ serie: 2 }, { place: 2 }, { place: 1 }] },
  ],
  'PUT /api/places/:id/livre': ['/api/places/2/livre', { livreId: 2 }],
  'POST /api/places/:id/souhait': ['/api/places/2/souhait'],
  'POST /api/emplacements': ['/api/emplacements', { nom: 'Cave', note: 'À gauche' }],
  'PUT /api/emplacements/:id': ['/api/emplacements/3', { nom: 'Haut', parentId: 1 }],
  // The location contains a book, and a shelf whose name another shelf has, too.
  'DELETE /api/emplacements/:id': ['/api/emplacements/2'],
  'PUT /api/emplacements/ordre': ['/api/emplacements/ordre', { ids: [4, 1] }],
  'PUT /api/emplacements/:id/ordre': ['/api/emplacements/1/ordre', { ids: [3, 2] }],
  'PUT /api/emplacements/:id/livres': ['/api/emplacements/2/livres', { ids: [2] }],
  'POST /api/revues': ['/api/revues', { titre: 'Cahiers' }],
  'PUT /api/revues/:id': ['/api/revues/1', { titre: 'Rives', issn: '0153-4092' }],
  'DELETE /api/revues/:id': ['/api/revues/1'],
  'POST /api/revues/:id/numeros': ['/api/revues/1/numeros', { numero: '9', themes: ['Île'] }],
  'POST /api/revues/numeros': [
    '/api/revues/numeros',
    { revue: { titre: 'Zoom' }, numero: { numero: '1' } },
  ],
  'PUT /api/numeros/:id': ['/api/numeros/1', { numero: '1', themes: ['Ville'], articles: ['A'] }],
  'DELETE /api/numeros/:id': ['/api/numeros/1'],
  'POST /api/souhaits': ['/api/souhaits', { titre: 'Ida' }],
  'PUT /api/souhaits/:id': ['/api/souhaits/1', { titre: 'Idées' }],
  'DELETE /api/souhaits/:id': ['/api/souhaits/1'],
  'PUT /api/souhaits/ordre': ['/api/souhaits/ordre', { ids: [2, 1] }],
  'POST /api/souhaits/:id/achat': ['/api/souhaits/1/achat', {}],
  'POST /api/souhaits/lot': [
    '/api/souhaits/lot',
    { action: 'supprimer', souhaits: [1, 2], revues: [1] },
  ],
  'POST /api/lectures': ['/api/lectures', { livreId: 2, note: 7 }],
  'PUT /api/lectures/:id': ['/api/lectures/1', { livreId: 1, fin: '2019-03' }],
  'DELETE /api/lectures/:id': ['/api/lectures/1'],
  'POST /api/objectifs': ['/api/objectifs', { annee: '2027', unite: 'livres', nombre: 12 }],
  'DELETE /api/objectifs/:id': ['/api/objectifs/1'],
  'POST /api/selections': ['/api/selections', { nom: 'Lus', criteres: { statut: '2' } }],
  'PUT /api/selections/:id': ['/api/selections/1', { nom: 'Polars', criteres: { theme: 'Polar' } }],
  'DELETE /api/selections/:id': ['/api/selections/1'],
  'PUT /api/selections/ordre': ['/api/selections/ordre', { ids: [2, 1, 3] }],
  'PUT /api/selections/:id/livres': ['/api/selections/3/livres', { ids: [2, 1] }],
  'POST /api/souhaits-revues': ['/api/souhaits-revues', { titre: 'Zoom', numero: '4' }],
  'PUT /api/souhaits-revues/:id': ['/api/souhaits-revues/1', { titre: 'Loupe' }],
  'DELETE /api/souhaits-revues/:id': ['/api/souhaits-revues/1'],
  'PUT /api/souhaits-revues/ordre': ['/api/souhaits-revues/ordre', { ids: [2, 1] }],
  'POST /api/souhaits-revues/:id/achat': ['/api/souhaits-revues/1/achat', { numero: '7' }],
};

/** The sentence of each undo. */
const UNDONE: Readonly<Record<string, string>> = {
  'POST /api/livres': 'L’ajout de « Ubik » est annulé.',
  'PUT /api/livres/:id': 'La modification de « Dune 2 » est annulée.',
  'DELETE /api/livres/:id': 'La suppression de « Dune » est annulée.',
  'POST /api/livres/lot': 'La modification de 2 livres est annulée.',
  'POST /api/livres/fusions': 'La fusion des fiches est annulée.',
  'PUT /api/livres/:id/statut': 'Le changement de statut de « Dune » est annulé.',
  'PUT /api/livres/:id/emplacement': 'Le changement d’emplacement de « Dune » est annulé.',
  'PUT /api/livres/:id/emprunt': 'Le changement d’emprunt de « Dune » est annulé.',
  'DELETE /api/livres/:id/emprunt': 'Le retour de « Ourika » est annulé.',
  'PUT /api/livres/:id/serie': 'Le changement de série de « Neuve » est annulé.',
  'POST /api/livres/:id/prets': 'Le prêt de « Dune » est annulé.',
  'POST /api/prets/:id/retour': 'Le retour de « Sido » est annulé.',
  'PUT /api/prets/:id': 'La correction du prêt de « Sido » est annulée.',
  'PUT /api/auteurs/:id': 'La modification de « Franklin Herbert » est annulée.',
  'PUT /api/themes/:id': 'Le changement de thème est annulé.',
  'PUT /api/details': 'Le changement de détail est annulé.',
  'DELETE /api/details': 'La suppression du détail est annulée.',
  'PUT /api/bibliotheque': 'La modification est annulée.',
  'POST /api/auteurs/fusions': 'La fusion est annulée.',
  'POST /api/auteurs/refus': 'La séparation est annulée.',
  'POST /api/series': 'L’ajout de « Neuve » est annulé.',
  'PUT /api/series/:id': 'La modification est annulée.',
  'DELETE /api/series/:id': 'La suppression de « Cycle » est annulée.',
  'PUT /api/series/:id/ordre': 'Le rangement est annulé.',
  'PUT /api/places/:id/livre': 'Le changement de série de « Cycle » est annulé.',
  'POST /api/places/:id/souhait': 'L’ajout de « Le Messie de Dune » est annulé.',
  'POST /api/emplacements': 'L’ajout de « Cave » est annulé.',
  'PUT /api/emplacements/:id': 'La modification de « Haut » est annulée.',
  'DELETE /api/emplacements/:id': 'La suppression de « Couloir » est annulée.',
  'PUT /api/emplacements/ordre': 'Le rangement est annulé.',
  'PUT /api/emplacements/:id/ordre': 'Le rangement est annulé.',
  'PUT /api/emplacements/:id/livres': 'Le rangement est annulé.',
  'POST /api/revues': 'L’ajout de « Cahiers » est annulé.',
  'PUT /api/revues/:id': 'La modification de « Rives » est annulée.',
  'DELETE /api/revues/:id': 'La suppression de « Rivages » est annulée.',
  'POST /api/revues/:id/numeros': 'L’ajout du n°\u00a09 est annulé.',
  'POST /api/revues/numeros': 'L’ajout du n°\u00a01 est annulé.',
  'PUT /api/numeros/:id': 'La modification du n°\u00a01 est annulée.',
  'DELETE /api/numeros/:id': 'La suppression du n°\u00a01 est annulée.',
  'POST /api/souhaits': 'L’ajout de « Ida » est annulé.',
  'PUT /api/souhaits/:id': 'La modification de « Idées » est annulée.',
  'DELETE /api/souhaits/:id': 'La suppression de « Chéri » est annulée.',
  'PUT /api/souhaits/ordre': 'Le rangement est annulé.',
  'POST /api/souhaits/:id/achat': 'L’ajout de « Chéri » est annulé.',
  'POST /api/souhaits/lot': 'La modification de la liste de souhaits est annulée.',
  'POST /api/lectures': 'L’ajout de « Enfance » est annulé.',
  'PUT /api/lectures/:id': 'La modification de « Dune » est annulée.',
  'DELETE /api/lectures/:id': 'La suppression de « Dune » est annulée.',
  'POST /api/objectifs': 'La modification de « 2027 » est annulée.',
  'DELETE /api/objectifs/:id': 'La suppression de « 2026 » est annulée.',
  'POST /api/selections': 'L’ajout de « Lus » est annulé.',
  'PUT /api/selections/:id': 'La modification de « Polars » est annulée.',
  'DELETE /api/selections/:id': 'La suppression de « À lire » est annulée.',
  'PUT /api/selections/ordre': 'Le rangement est annulé.',
  'PUT /api/selections/:id/livres': 'La modification de « Pour Tom » est annulée.',
  'POST /api/souhaits-revues': 'L’ajout de « Zoom » est annulé.',
  'PUT /api/souhaits-revues/:id': 'La modification de « Loupe » est annulée.',
  'DELETE /api/souhaits-revues/:id': 'La suppression de « Loup » est annulée.',
  'PUT /api/souhaits-revues/ordre': 'Le rangement est annulé.',
  'POST /api/souhaits-revues/:id/achat': 'L’ajout du n°\u00a07 est annulé.',
};

/** Records of every kind, including ana's wishes and both readers' statuses. */
async function openHousehold(): Promise<House> {
  const house = await openHouse();
  const send = async (method: string, path: string, body?: object, who = 'ana') => {
    const { status, body: answer } = await house.ask(who, method, path, body);
    expect(status, `${method} ${path} ${JSON.stringify(answer)}`).toBeLessThan(300);
  };
  for (const [titre, nom] of [
    ['Dune', 'Frank Herbert'],
    ['Enfance', 'Maxime Gorki'],
    ['Les Bas-fonds', 'Maksim Gorki'],
    ['Sido', 'Colette'],
  ])
    await send('POST', '/api/livres', {
      titre,
      format: 'Physique',
      auteurs: [nom],
      details: titre === 'Sido' ? [{ nom: 'Prix', valeur: '12' }] : [],
    });
  const emprunteA = { nom: 'Lise', depuis: '2026-01-02' };
  await send('POST', '/api/livres', { titre: 'Ourika', format: 'Physique', emprunteA });
  const twin = { titre: 'Sido', format: 'Physique', auteurs: ['Colette'], themes: ['Mer'] };
  await send('POST', '/api/livres?confirmerDoublon=true', twin);
  await send('POST', '/api/livres/1/prets', { emprunteur: 'Luc' });
  await send('POST', '/api/prets/1/retour');
  await send('POST', '/api/livres/4/prets', { emprunteur: 'Léa' });
  await send('POST', '/api/livres/6/prets', { emprunteur: 'Léo' });
  await send('POST', '/api/prets/3/retour');
  await send('PUT', '/api/livres/1/statut', { statut: 1 });
  await send('PUT', '/api/livres/1/statut', { statut: 0 }, 'bob');
  await send('PUT', '/api/livres/6/statut', { statut: 2 });
  await send('POST', '/api/emplacements', { nom: 'Salon' });
  await send('POST', '/api/emplacements', { nom: 'Couloir', parentId: 1 });
  await send('POST', '/api/emplacements', { nom: 'Bas', parentId: 1 });
  await send('POST', '/api/emplacements', { nom: 'Grenier' });
  await send('POST', '/api/emplacements', { nom: 'bas', parentId: 2 });
  await send('PUT', '/api/livres/2/emplacement', { emplacementId: 2 });
  const places = [{ titre: 'Dune', livreId: 1 }, { titre: 'Le Messie de Dune' }];
  await send('POST', '/api/series', { titre: 'Cycle', places });
  await send('POST', '/api/series', { titre: 'Dedans', parentId: 1, places: [{ titre: 'Un' }] });
  const numero = { numero: '1', une: 'La mer', themes: ['Mer', 'Ville'], articles: ['Un', 'Deux'] };
  await send('POST', '/api/revues/numeros', { revue: { titre: 'Rivages' }, numero });
  for (const titre of ['Chéri', 'Gigi']) await send('POST', '/api/souhaits', { titre });
  for (const nom of ['À lire', 'Mer'])
    await send('POST', '/api/selections', { nom, criteres: { theme: 'Mer' } });
  await send('POST', '/api/selections', { nom: 'Pour Tom', livres: [1] });
  for (const titre of ['Loup', 'Ours']) await send('POST', '/api/souhaits-revues', { titre });
  await send('POST', '/api/objectifs', { annee: '2026', unite: 'livres', nombre: 24 });
  return house;
}

const undo = (house: House, { headers }: Answer, who: string | null): Promise<Answer> =>
  house.ask(who, 'POST', `/api/modifications/${headers.get('X-Modification') ?? ''}/annulation`);

test('every operation that writes has its act here', async () => {
  expect(Object.keys(ACTS).sort()).toEqual(await readWrites());
});

const IS_OWN = /Seule la personne qui l’a fait/;

test('every act can be undone and redone, even days later', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const house = await openHousehold();
  const { database } = house.context;
  const before = householdRows(database);
  for (const [operation, [path, body]] of Object.entries(ACTS)) {
    let done = await house.ask('ana', operation.split(' ')[0] ?? '', path, body);
    expect(done.status, `${operation} ${JSON.stringify(done.body)}`).toBeLessThan(300);
    const after = householdRows(database);
    expect(after, operation).not.toEqual(before);
    for (const [days, other] of [
      [0, 'ana'],
      [1, 'bob'],
    ] as const) {
      vi.setSystemTime(Date.now() + days * DAY_MS);
      let undone = await undo(house, done, other);
      // A personal write: for others it does not exist, or cannot be undone.
      if (undone.status === 404 || IS_OWN.test(JSON.stringify(undone.body)))
        undone = await undo(house, done, 'ana');
      expect([undone.status, undone.body], operation).toMatchObject([
        201,
        { resume: UNDONE[operation] },
      ]);
      expect(householdRows(database), operation).toEqual(before);
      done = await undo(house, undone, 'ana');
      expect([done.status, done.body], operation).toMatchObject([
        201,
        { resume: UNDONE[operation]?.replace(' est annulé', ' est rétabli') },
      ]);
      expect(householdRows(database), operation).toEqual(after);
    }
    // The next write starts from the same household.
    expect((await undo(house, done, 'ana')).status, operation).toBe(201);
  }
  expect(movedParts(database)).toEqual([]);
});

/** Rows that moved from one record to another and would be deleted with it: an undo could lose them. */
const movedParts = (database: Database): string[] =>
  database.capture.tables.flatMap((table) =>
    database.capture
      .foreignKeysOf(table)
      .filter((link) => !isClearedOnDelete(link))
      .flatMap(({ column }) =>
        database.values<string>(
          'SELECT nom || cle FROM Trace WHERE nom = ? AND avant ->> ? <> apres ->> ?',
          table,
          column,
          column,
        ),
      ),
  );
