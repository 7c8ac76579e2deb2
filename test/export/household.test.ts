import { expect, test } from 'vitest';
import type { Auteur } from '#shared/auteurs';
import { openHouse } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { rangs } from '../support/souhaits.ts';
import { importAndUndo, DATE, list, livre } from './records.ts';
import { archiveOf } from './archive.ts';
import { contentOf, download, importInto } from './support.ts';

const by = (...auteurs: readonly (readonly [id: number, nom: string])[]) => ({
  auteurs: auteurs.map(([id, nom]) => ({ id, nom })),
});

test('authors come with their full forms and refused merges', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Un', auteurs: ['JEAN MARTIN'] });
  await ajouterLivre(house, { titre: 'Deux', auteurs: ['Luc Brun'] });
  await house.ask('ana', 'POST', '/api/auteurs/refus', { auteurs: [1, 2] });
  const records = {
    auteurs: [
      { id: 11, nom: 'Jean Martin', formePleine: 'Jean Marie Martin' },
      { id: 12, nom: 'J. Martin', formePleine: null },
      {
        id: 13,
        nom: 'F. Herbert',
        formePleine: 'Frank Herbert',
        nomChoisi: true,
        formesReunies: ['Luc Noir'],
      },
      { id: 14, nom: 'Personne', formePleine: null },
      { id: 15, nom: 'Luc Brun', formePleine: null },
      { id: 16, nom: 'jean martin', formePleine: null },
    ],
    refus: [
      { premierId: 11, secondId: 12 },
      { premierId: 15, secondId: 11 },
      { premierId: 11, secondId: 16 },
      { premierId: 12, secondId: 99 },
      { premierId: 99, secondId: 12 },
    ],
    livres: [
      livre(1, 'Trois', by([11, 'Jean Martin'], [12, 'J. Martin'])),
      livre(2, 'Quatre', by([13, 'F. Herbert'])),
    ],
  };
  await importAndUndo(house, records, async () => {
    const { auteurs, refus } = await contentOf(house);
    expect(auteurs).toEqual([
      '{"nom":"F. Herbert","formePleine":"Frank Herbert","nomChoisi":true,"formesReunies":["Luc Noir"]}',
      '{"nom":"J. Martin","formePleine":null,"nomChoisi":false,"formesReunies":[]}',
      '{"nom":"Jean Martin","formePleine":null,"nomChoisi":false,"formesReunies":[]}',
      '{"nom":"Luc Brun","formePleine":null,"nomChoisi":false,"formesReunies":[]}',
    ]);
    expect(refus).toEqual(['["J. Martin","Jean Martin"]', '["Jean Martin","Luc Brun"]']);
    const noms = (await list<{ auteurs: Auteur[]; titre: string }>(house, '/api/livres')).map(
      ({ titre, auteurs: of }) => [titre, ...of.map(({ nom }) => nom)],
    );
    expect(noms).toContainEqual(['Trois', 'Jean Martin', 'J. Martin']);
  });
});

test('an export from before a merge gives its books to the remaining author', async () => {
  const [house, other] = [await openHouse(), await openHouse()];
  await ajouterLivre(house, { titre: 'Un', auteurs: ['Romain Gary'] });
  await ajouterLivre(house, { titre: 'Deux', auteurs: ['Émile Ajar'] });
  await house.ask('ana', 'PUT', '/api/auteurs/1', { nom: 'Romain Gary' });
  await house.ask('ana', 'POST', '/api/auteurs/fusions', { auteurs: [1, 2] });
  await ajouterLivre(other, { titre: 'Deux', auteurs: ['Émile Ajar'] });
  await ajouterLivre(other, { titre: 'Trois', auteurs: ['Émile Ajar'] });
  const { bytes } = await download(other, '/api/export.zip');
  expect(await importInto(house, bytes)).toMatchObject({ body: { nouveaux: 1, presents: 1 } });
  expect((await list<Auteur>(house, '/api/auteurs')).map(({ nom }) => nom)).toEqual([
    'Romain Gary',
  ]);
});

test('a known book gets the loans that it lacks', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Sido' });
  const pret = async (emprunteur: string, datePret: string) =>
    house.ask('ana', 'POST', '/api/livres/1/prets', { emprunteur, datePret });
  await pret('Zoé', DATE);
  await house.ask('ana', 'POST', '/api/prets/1/retour');
  const later = '2021-01-02T03:04:05.000Z';
  const prets = [
    { id: 1, emprunteur: 'zoe', datePret: DATE, dateRetour: later },
    { id: 2, emprunteur: 'Zoé', datePret: later, dateRetour: later },
    { id: 3, emprunteur: 'Luc', datePret: DATE, dateRetour: later },
    { id: 4, emprunteur: 'Léa', datePret: later, dateRetour: null },
  ];
  const others = prets.map((pret) => ({ ...pret, id: pret.id + 4 }));
  const records = { livres: [livre(1, 'Sido', { prets }), livre(2, 'Chéri', { prets: others })] };
  await importAndUndo(house, records, async () => {
    const textsOf = async (id: number) =>
      (
        await list<{ emprunteur: string; datePret: string; dateRetour: string | null }>(
          house,
          `/api/livres/${String(id)}/prets`,
        )
      )
        .map(({ emprunteur, datePret, dateRetour }) =>
          [emprunteur, datePret.slice(0, 4), dateRetour?.slice(0, 4) ?? '-'].join(' '),
        )
        .sort();
    expect(await textsOf(2)).toEqual([
      'Luc 2020 2021',
      'Léa 2021 -',
      'Zoé 2021 2021',
      'zoe 2020 2021',
    ]);
    expect((await textsOf(1)).map((text) => text.slice(0, 8))).toEqual([
      'Luc 2020',
      'Léa 2021',
      'Zoé 2020',
      'Zoé 2021',
    ]);
  });
});

test('imported wishes follow those of the list, in their order', async () => {
  const house = await openHouse();
  await house.ask('ana', 'POST', '/api/souhaits', { titre: 'Ubik' });
  await house.ask('ana', 'POST', '/api/souhaits', { titre: 'Sido' });
  const missing = { titre: 'Volume un', numero: '1' };
  await house.ask('ana', 'POST', '/api/series', { titre: 'Connue', places: [missing] });
  const records = {
    series: [
      {
        id: 4,
        titre: 'CONNUE',
        places: [
          { id: 41, titre: 'Un', numero: '1', position: 0 },
          { id: 42, titre: 'Deux', numero: '2', position: 1 },
        ],
      },
      { id: 5, titre: 'Suite', places: [{ id: 51, titre: 'Tome un', numero: '1', position: 0 }] },
    ],
    souhaits: [
      { id: 1, titre: 'Tome un', rang: 3, placeId: 51, dateAjout: DATE },
      { id: 2, titre: 'Emma', rang: 1, dateAjout: DATE, auteur: 'Jane Austen', placeId: 99 },
      { id: 3, titre: 'Ida', rang: 2, dateAjout: DATE, coverUrl: 'https://exemple.org/c.jpg' },
      { id: 4, titre: 'UBIK', rang: 4, dateAjout: DATE },
      { id: 5, titre: 'Un', rang: 5, dateAjout: DATE, placeId: 41 },
      { id: 6, titre: 'Deux', rang: 6, dateAjout: DATE, placeId: 42 },
    ],
  };
  await importAndUndo(house, records, async () => {
    expect(await rangs(house, 'ana')).toEqual([
      '1 Ubik',
      '2 Sido',
      '3 Emma',
      '4 Ida',
      '5 Tome un',
      '6 Un',
      '7 Deux',
    ]);
    const { souhaits } = await contentOf(house);
    for (const claim of [
      { titre: 'Emma', auteur: 'Jane Austen', dateAjout: DATE, place: null },
      { titre: 'Ida', coverUrl: 'https://exemple.org/c.jpg', place: null },
      { titre: 'Tome un', dateAjout: DATE, place: ['Suite', 'Tome un'] },
      { titre: 'Un', place: ['Connue', 'Volume un'] },
      { titre: 'Deux', place: ['Connue', 'Deux'] },
    ])
      expect(souhaits).toContainEqual(expect.objectContaining(claim));
  });
});

test('books keep their locations and who entered them', async () => {
  const house = await openHouse();
  const records = {
    emplacements: [
      { id: 7, nom: 'Salon', rang: 1 },
      { id: 8, nom: 'Haut', rang: 1, parentId: 7 },
    ],
    livres: [
      livre(1, 'Un', { emplacementId: 8, ajoutePar: 'bob', statut: 2, coverUrl: 'https://a.b/c' }),
      livre(2, 'Deux', { emplacementId: 99, ajoutePar: null, typeDocument: 'BandeDessinee' }),
      livre(3, 'Trois', { statut: 0 }),
    ],
  };
  await importAndUndo(house, records, async () => {
    const { livres, emplacements } = await contentOf(house);
    expect(livres.map((text) => JSON.parse(text) as unknown)).toMatchObject([
      {
        titre: 'Deux',
        emplacement: null,
        ajoutePar: null,
        typeDocument: 'BandeDessinee',
        statut: null,
      },
      { titre: 'Trois', statut: 0 },
      {
        titre: 'Un',
        emplacement: 'Haut',
        ajoutePar: 'bob',
        dateAjout: DATE,
        statut: 2,
        coverUrl: 'https://a.b/c',
      },
    ]);
    expect(emplacements).toHaveLength(2);
  });
});

test('a lived-in household notes who imports and when', async () => {
  const house = await openHouse();
  const taken = async (titre: string, books: number) => {
    const livres = [livre(books, titre, { ajoutePar: 'bob' })];
    const { body } = await importInto(house, archiveOf({ livres }));
    const all = await list<{ titre: string; ajoutePar: string; dateAjout: string }>(
      house,
      '/api/livres?tri=ajout',
    );
    expect(all).toHaveLength(books);
    const one = all.find((each) => each.titre === titre);
    return [one?.ajoutePar, one?.dateAjout === DATE, body['id']];
  };
  expect(await taken('Premier', 1)).toEqual(['bob', true, 1]);
  expect(await taken('Second', 2)).toEqual(['ana', false, 2]);
  // Undo and redo keep each book's data.
  const again = async (id: number) => {
    await house.ask('ana', 'DELETE', `/api/importations/${String(id)}`);
    await house.ask('ana', 'POST', `/api/importations/${String(id)}/execution`, {});
  };
  await again(1);
  await again(2);
  const noted = await list<{ titre: string; ajoutePar: string }>(house, '/api/livres');
  expect(noted.map(({ titre, ajoutePar }) => [titre, ajoutePar])).toEqual([
    ['Premier', 'bob'],
    ['Second', 'ana'],
  ]);
});

test('two records of an export stay two books', async () => {
  const house = await openHouse();
  const isbn = '9782070360024';
  const first = livre(1, 'Nadja', by([1, 'André Breton']));
  const second = { ...first, id: 2, dateAjout: '2021-01-01T00:00:00.000Z' };
  const third = { ...first, id: 3, dateAjout: '2022-01-01T00:00:00.000Z', isbn };
  const fourth = { ...third, id: 4, dateAjout: '2023-01-01T00:00:00.000Z' };
  const bring = async (...livres: readonly object[]) =>
    (await importInto(house, archiveOf({ livres }))).body;
  expect(await bring(first, third)).toMatchObject({ nouveaux: 2 });
  expect(await bring(fourth, second, third, first)).toMatchObject({ nouveaux: 2, presents: 2 });
  expect(await bring({ ...second, statut: 2 })).toMatchObject({ presents: 1, statuts: 1 });
  const known = await list<{ dateAjout: string; isbn: string | null; statut: number | null }>(
    house,
    '/api/livres',
  );
  // Books added by the later import are dated with its day.
  const before = ({ dateAjout }: { dateAjout: string }) =>
    ['2020', '2022'].find((year) => dateAjout.startsWith(year)) ?? 'now';
  expect(known.map((livre) => [before(livre), livre.isbn, livre.statut]).sort()).toEqual([
    ['2020', null, 2],
    ['2022', isbn, null],
    ['now', null, null],
    ['now', isbn, null],
  ]);
  // A record with an unknown id matches an existing book with the same content.
  const other = { ...first, id: 9, dateAjout: '2024-01-01T00:00:00.000Z' };
  expect(await bring(other)).toMatchObject({ nouveaux: 0, presents: 1 });
});
