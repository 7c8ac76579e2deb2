import { expect, test } from 'vitest';
import type { Auteur } from '#shared/auteurs';
import type { Serie } from '#shared/series';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { rangs } from '../support/souhaits.ts';
import { archiveOf } from './archive.ts';
import { contentOf, importInto } from './support.ts';

type Records = Parameters<typeof archiveOf>[0];

/** Imports these records, checks what the house has then, and that it is as before once that is undone. */
async function comesAndGoes(house: House, records: Records, check: () => Promise<void>) {
  const before = await contentOf(house);
  const { status, body } = await importInto(house, archiveOf(records));
  expect([status, body['refuses']]).toEqual([201, []]);
  await check();
  const path = `/api/importations/${String(body['id'])}`;
  const undone = await house.ask('ana', 'DELETE', path);
  expect(undone.body).toEqual({ retires: body['nouveaux'], gardes: 0 });
  expect(await contentOf(house)).toEqual(before);
}

const list = async <T>(house: House, path: string): Promise<T[]> =>
  (await house.ask('ana', 'GET', path)).body as T[];

const DATE = '2020-05-06T07:08:09.000Z';
const livre = (id: number, titre: string, more: object = {}) => ({
  id,
  titre,
  dateAjout: DATE,
  format: 'Physique',
  typeDocument: 'Roman',
  ...more,
});
const by = (...auteurs: readonly (readonly [id: number, nom: string])[]) => ({
  auteurs: auteurs.map(([id, nom]) => ({ id, nom })),
});

test('authors come with their names, their full forms and the merges that were refused', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Un', auteurs: ['JEAN MARTIN'] });
  await ajouterLivre(house, { titre: 'Deux', auteurs: ['Luc Brun'] });
  await house.ask('ana', 'POST', '/api/auteurs/refus', { auteurs: [1, 2] });
  const records = {
    auteurs: [
      { id: 11, nom: 'Jean Martin', formePleine: 'Jean Marie Martin' },
      { id: 12, nom: 'J. Martin', formePleine: null },
      { id: 13, nom: 'F. Herbert', formePleine: 'Frank Herbert' },
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
  await comesAndGoes(house, records, async () => {
    const { auteurs, refus } = await contentOf(house);
    expect(auteurs).toEqual([
      '{"nom":"F. Herbert","formePleine":"Frank Herbert"}',
      '{"nom":"J. Martin","formePleine":null}',
      '{"nom":"Jean Martin","formePleine":null}',
      '{"nom":"Luc Brun","formePleine":null}',
    ]);
    expect(refus).toEqual(['["J. Martin","Jean Martin"]', '["Jean Martin","Luc Brun"]']);
    const noms = (await list<{ auteurs: Auteur[]; titre: string }>(house, '/api/livres')).map(
      ({ titre, auteurs: of }) => [titre, ...of.map(({ nom }) => nom)],
    );
    expect(noms).toContainEqual(['Trois', 'Jean Martin', 'J. Martin']);
  });
});

test('loans come with their books, and those that a known book lacks', async () => {
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
  const records = { livres: [livre(1, 'Sido', { prets }), livre(2, 'Chéri', { prets })] };
  await comesAndGoes(house, records, async () => {
    const said = async (id: number) =>
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
    expect(await said(2)).toEqual([
      'Luc 2020 2021',
      'Léa 2021 -',
      'Zoé 2021 2021',
      'zoe 2020 2021',
    ]);
    expect((await said(1)).map((text) => text.slice(0, 8))).toEqual([
      'Luc 2020',
      'Léa 2021',
      'Zoé 2020',
      'Zoé 2021',
    ]);
  });
});

test('wishes come behind those of the list, in their order, and with the volumes that they are for', async () => {
  const house = await openHouse();
  await house.ask('ana', 'POST', '/api/souhaits', { titre: 'Ubik' });
  await house.ask('ana', 'POST', '/api/souhaits', { titre: 'Sido' });
  const records = {
    series: [
      { id: 5, titre: 'Suite', places: [{ id: 51, titre: 'Tome un', numero: '1', position: 0 }] },
    ],
    souhaits: [
      { id: 1, titre: 'Tome un', rang: 3, placeId: 51, dateAjout: DATE },
      { id: 2, titre: 'Emma', rang: 1, dateAjout: DATE, auteur: 'Jane Austen', placeId: 99 },
      { id: 3, titre: 'Ida', rang: 2, dateAjout: DATE, coverUrl: 'https://exemple.org/c.jpg' },
      { id: 4, titre: 'UBIK', rang: 4, dateAjout: DATE },
    ],
  };
  await comesAndGoes(house, records, async () => {
    expect(await rangs(house, 'ana')).toEqual(['1 Ubik', '2 Sido', '3 Emma', '4 Ida', '5 Tome un']);
    const { souhaits } = await contentOf(house);
    for (const said of [
      { titre: 'Emma', auteur: 'Jane Austen', dateAjout: DATE, place: null },
      { titre: 'Ida', coverUrl: 'https://exemple.org/c.jpg', place: null },
      { titre: 'Tome un', dateAjout: DATE, place: ['Suite', 'Tome un'] },
    ])
      expect(souhaits).toContainEqual(expect.objectContaining(said));
  });
});

test('books stand where they stood, and keep who entered them and when', async () => {
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
  await comesAndGoes(house, records, async () => {
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

const place = (id: number, titre: string, more: object = {}) => ({
  id,
  titre,
  position: id,
  ...more,
});

test('series come with their volumes, their order and what holds them', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Trois' });
  await house.ask('ana', 'POST', '/api/series', {
    titre: 'Connue',
    places: [
      { titre: 'Un', numero: '1' },
      { titre: 'Trois', numero: '3', livreId: 1 },
    ],
  });
  const records = {
    livres: [livre(1, 'Un'), livre(2, 'Deux'), livre(3, 'Trois')],
    series: [
      {
        id: 5,
        titre: 'CONNUE',
        places: [
          place(1, 'Un', { numero: '1', livreId: 1 }),
          place(2, 'Trois', { numero: '3', livreId: 3 }),
          place(3, 'Deux', { numero: '4', livreId: 2 }),
        ],
      },
      { id: 6, titre: 'Dedans', parentId: 7, position: 1, places: [place(4, 'A', { livreId: 2 })] },
      {
        id: 7,
        titre: 'Cycle',
        parentId: null,
        nombreTomes: 4,
        places: [
          place(0, 'D', { id: 40, isbn: '2070360024', auteur: 'Colette', numero: '1' }),
          place(2, 'B', { id: 41, livreId: 99 }),
        ],
      },
      // Each in the other, which no house has.
      { id: 8, titre: 'Autour', parentId: 9, places: [] },
      { id: 9, titre: 'Dedans', parentId: 8, places: [place(42, 'C')] },
      { id: 10, titre: 'Ailleurs', parentId: 99, places: [place(43, 'E')] },
    ],
  };
  await comesAndGoes(house, records, async () => {
    const series = await list<Serie>(house, '/api/series');
    const titres = new Map(series.map(({ id, titre }) => [id, titre]));
    const said = series.map(({ titre, parentId, nombreTomes, places, sousSeries }) => [
      titre,
      titres.get(parentId ?? 0) ?? null,
      nombreTomes,
      ...places.map(({ titre: of, livreId }) => `${of} ${livreId === null ? '-' : '+'}`),
      ...sousSeries.map((each) => each.titre),
    ]);
    expect(said).toContainEqual(['Connue', null, null, 'Un +', 'Trois +', 'Deux +']);
    expect(said).toContainEqual(['Cycle', null, 4, 'D -', 'B -', 'Dedans']);
    expect(said).toContainEqual(['Dedans', 'Cycle', null, 'A +']);
    expect(said).toContainEqual(['Ailleurs', null, null, 'E -']);
    expect(said.filter(([titre]) => titre === 'Autour' || titre === 'Dedans')).toHaveLength(3);
    const cycle = series.find(({ titre }) => titre === 'Cycle');
    const dedans = cycle?.sousSeries[0]?.id;
    const [d, b] = cycle?.places ?? [];
    expect(cycle?.elements).toEqual([{ place: d?.id }, { serie: dedans }, { place: b?.id }]);
    expect(d).toMatchObject({ numero: '1', isbn: '9782070360024', auteur: 'Colette' });
  });
});
