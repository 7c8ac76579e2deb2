import { parse } from 'csv-parse/sync';
import type { TObject } from 'typebox';
import { expect, test } from 'vitest';
import { EmplacementSaisi } from '#shared/emplacements';
import {
  exportKindNames,
  exportKinds,
  PERTES,
  PERTES_PAR_FICHIER,
  type ExportKind,
} from '#shared/export';
import { LectureSaisie } from '#shared/lectures';
import { LivreSaisi, type Livre } from '#shared/livres';
import { NumeroSaisi } from '#shared/numeros';
import { objectKeys } from '#shared/object-keys';
import { RevueSaisie } from '#shared/revues';
import { SelectionSaisie } from '#shared/selections';
import { PlaceSaisie, SerieSaisie } from '#shared/series';
import { ObjectifSaisi } from '#shared/objectifs';
import { RevueSouhaiteeSaisie } from '#shared/souhaits-revues';
import { SouhaitSaisi } from '#shared/souhaits';
import { unsaidFields, WHOLE_CRITERES, WHOLE_LIVRE, type Whole } from '../support/entries.ts';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { furnish } from './furnish.ts';
import { contentOf, download, importInto, unzip } from './support.ts';

/** Fails at compile time if the payload lacks a field of its shape. */
function whole<S extends TObject>(shape: S, payload: Whole<S>): Whole<S> {
  expect(Object.keys(payload).sort()).toEqual(Object.keys(shape.properties).sort());
  return payload;
}

async function add(house: House, path: string, body: object, method = 'POST'): Promise<number> {
  const answer = await house.ask('ana', method, `/api/${path}`, body);
  expect([path, answer.status]).toEqual([path, method === 'POST' ? 201 : 200]);
  return Number(Reflect.get(Object(answer.body), 'id'));
}

const COVER = 'https://exemple.org/c.jpg';

/** A household in which each field of each shape is set in some record. */
async function fillWhole(house: House): Promise<void> {
  await furnish(house);
  const outer = await add(house, 'emplacements', { nom: 'Cave' });
  await add(house, 'emplacements', { nom: 'Grenier' });
  const dedans = whole(EmplacementSaisi, {
    nom: 'Carton',
    parentId: outer,
    note: 'Au fond',
    fermeLe: '2026-03-03T10:00:00.000Z',
  });
  const emplacementId = await add(house, 'emplacements', dedans);
  await add(house, 'emplacements', { nom: 'Boîte', parentId: outer });
  const livre = whole(LivreSaisi, WHOLE_LIVRE);
  const livreId = await add(house, 'livres', { ...livre, emprunteA: null, emplacementId });
  const beside = await add(house, 'livres', {
    titre: 'Escales',
    format: 'Physique',
    emprunteA: WHOLE_LIVRE.emprunteA,
    emplacementId,
  });
  await house.ask('ana', 'PUT', `/api/emplacements/${emplacementId}/livres`, {
    ids: [beside, livreId],
  });
  const pret = { emprunteur: 'Luc', datePret: '2024-01-02T10:00:00.000Z' };
  const returned = await add(house, `livres/${livreId}/prets`, {
    ...pret,
    dateRetourPrevue: '2024-03-01',
  });
  await house.ask('ana', 'POST', `/api/prets/${returned}/retour`);
  await add(house, `livres/${livreId}/prets`, {
    ...pret,
    datePret: '2024-05-02T10:00:00.000Z',
    dateRetourPrevue: '2099-03-01',
  });
  await house.ask('ana', 'PUT', `/api/livres/${livreId}/statut`, { statut: 2 });
  const auteurs = (await house.ask('ana', 'GET', '/api/auteurs')).body as { id: number }[];
  const [one, other] = auteurs.map(({ id }) => id);
  await house.ask('ana', 'POST', '/api/auteurs/refus', { auteurs: [one, other] });
  for (const id of [one, other])
    await house.ask('ana', 'PUT', `/api/auteurs/${id}`, { nom: id === one ? 'C.' : 'F. Herbert' });
  await add(house, 'livres', {
    titre: 'Contemplations',
    format: 'Physique',
    auteurs: ['Victor Hugo', 'Olympio'],
  });
  const known = (await house.ask('ana', 'GET', '/api/auteurs')).body as {
    id: number;
    nom: string;
  }[];
  const merged = known.flatMap(({ id, nom }) => (/Hugo|Olympio/.test(nom) ? [id] : []));
  await house.ask('ana', 'POST', '/api/auteurs/fusions', { auteurs: merged });
  const cycle = await add(house, 'series', { titre: 'Le cycle' });
  await add(house, 'series', { titre: 'Avant', parentId: cycle });
  const { id: _, ...placeShape } = PlaceSaisie.properties;
  const place = {
    titre: 'Un',
    numero: '1',
    tomes: '1 et 3',
    livreId,
    auteur: 'Colette',
    isbn: '9782253004226',
  };
  expect(Object.keys(place).sort()).toEqual(Object.keys(placeShape).sort());
  const serie = whole(SerieSaisie, {
    titre: 'La série',
    parentId: cycle,
    nombreTomes: 3,
    places: [place, { titre: 'Deux', numero: '2' }],
  });
  const answer = await house.ask('ana', 'POST', '/api/series', serie);
  const { places } = answer.body as { places: { id: number }[] };
  await add(house, `places/${places[1]?.id ?? 0}/souhait`, {});
  await add(house, 'revues/numeros', {
    revue: whole(RevueSaisie, { titre: 'Cahiers', issn: '0988-2480', secondIssn: '2049-3630' }),
    numero: whole(NumeroSaisi, {
      numero: '2 bis',
      date: 'printemps 2026',
      coverUrl: COVER,
      une: 'À\nla une',
      resume: 'Un\nrésumé',
      themes: ['Mer'],
      articles: ['Un', 'Deux'],
    }),
  });
  await add(
    house,
    'souhaits',
    whole(SouhaitSaisi, {
      titre: 'Sido',
      auteur: 'Colette',
      isbn: '9782070368228',
      coverUrl: COVER,
    }),
  );
  await add(
    house,
    'souhaits-revues',
    whole(RevueSouhaiteeSaisie, { titre: 'Rivages', numero: '12', issn: '2917-0443' }),
  );
  await add(house, 'selections', { nom: 'Avant', criteres: { theme: 'Mer' } });
  for (const partagee of [true, false]) {
    const { livres, criteres, ...selection } = whole(SelectionSaisie, {
      nom: 'Polars du salon',
      criteres: WHOLE_CRITERES,
      livres: [livreId],
      partagee,
      accueil: true,
    });
    await add(house, 'selections', { ...selection, criteres });
    await add(house, 'selections', { ...selection, nom: 'Pour Tom', livres });
  }
  await add(
    house,
    'objectifs',
    whole(ObjectifSaisi, { annee: '2026', unite: 'pages', nombre: 6000 }),
  );
  const { livreId: ofLivre, ...lecture } = whole(LectureSaisie, {
    livreId,
    titre: 'Ailleurs',
    auteurs: ['Colette'],
    isbn: '9782070360024',
    debut: '2019-03',
    fin: '2019-04-12',
    abandon: true,
    note: 7,
    avis: 'Un\nmot',
    page: 120,
    pourcent: 35,
    pageJour: '2019-04-10',
  });
  const [atPage, atShare] = [
    { ...lecture, pourcent: null },
    { ...lecture, page: null },
  ];
  await add(house, 'lectures', atShare);
  await add(house, 'lectures', { ...atPage, livreId: ofLivre });
  const again = { debut: '2020-03', fin: '2020-04-12', avis: 'Deux' };
  await add(house, 'lectures', { ...atShare, ...again, livreId: ofLivre });
}

test('every field of every shape is restored from an archive', async () => {
  const house = await openHouse();
  await fillWhole(house);
  const { bytes } = await download(house, '/api/export.zip');
  const files = await unzip(bytes);
  const recordsOf = (kind: ExportKind) =>
    JSON.parse(files.get(`json/${kind}.json`) ?? '[]') as unknown[];
  expect(
    exportKindNames.flatMap((kind) => unsaidFields(exportKinds[kind], recordsOf(kind), kind)),
    'no field is left empty',
  ).toEqual([]);
  const other = await openHouse();
  const { status, body } = await importInto(other, bytes);
  expect([status, body['refuses'], body['avertissements']]).toEqual([201, [], []]);
  expect(await contentOf(other)).toEqual(await contentOf(house));
});

test('the spreadsheet’s table contains every field of a book, and imports it into another household', async () => {
  const house = await openHouse();
  const { details, emprunteA, ...whole } = WHOLE_LIVRE;
  await ajouterLivre(house, WHOLE_LIVRE, 'ana');
  const { bytes } = await download(house, '/api/export/livres.csv');
  const [head = [], line = []] = parse(bytes, { bom: true, delimiter: ';' });
  const cells = new Map(head.map((name, index) => [name, line[index]]));
  expect([...cells.values()]).toEqual(
    expect.arrayContaining([
      ...Object.values({ ...whole, isbn: '978-2-07-036002-4', format: 'papier' }).map((value) =>
        [value].flat().join(' ; '),
      ),
      ...details.map(({ valeur }) => valeur),
      ...Object.values(emprunteA),
    ]),
  );
  const other = await openHouse();
  expect(await importInto(other, bytes, 'essai=false&themes=true')).toMatchObject({ status: 201 });
  const [livre] = (await other.ask('ana', 'GET', '/api/livres')).body as Livre[];
  const auteurs = livre?.auteurs.map(({ nom }) => nom);
  expect({ ...livre, auteurs }).toMatchObject(WHOLE_LIVRE);
});

type Records = readonly Readonly<Record<string, unknown>>[];

/** All values of each field in a household's export; ids, which differ per household, are replaced by names. */
async function fieldsOf(house: House): Promise<ReadonlyMap<string, string>> {
  const files = await unzip((await download(house, '/api/export.zip')).bytes);
  const read = (kind: ExportKind) => JSON.parse(files.get(`json/${kind}.json`) ?? '[]') as Records;
  const namesOf = (kind: ExportKind, field: string) =>
    new Map(read(kind).map((record) => [record['id'], record[field]]));
  const names = {
    emplacementId: namesOf('emplacements', 'nom'),
    livreId: namesOf('livres', 'titre'),
    auteurs: null,
  };
  const withoutIds = (field: string, value: unknown): unknown => {
    if (field === 'emplacementId' || field === 'livreId') return names[field].get(value) ?? null;
    if (!Array.isArray(value)) return value;
    return value.map((each: unknown) =>
      typeof each === 'object' && each !== null
        ? Object.fromEntries(
            Object.entries(each)
              .filter(([name]) => name !== 'id')
              .map(([name, own]) => [name, withoutIds(name, own)]),
          )
        : each,
    );
  };
  const fields = new Map<string, string>();
  const note = (field: string, values: readonly unknown[]) =>
    fields.set(field, JSON.stringify(values.map((value) => JSON.stringify(value)).sort()));
  const isReturned = (pret: unknown) => Reflect.get(Object(pret), 'dateRetour') !== null;
  for (const kind of exportKindNames) {
    const records = read(kind);
    const own = kind === 'lectures' ? records.filter(({ livreId }) => livreId !== null) : records;
    if (kind === 'lectures')
      note(
        'lectures ailleurs',
        records.filter(({ livreId }) => livreId === null).map(({ titre }) => titre),
      );
    const shape: { readonly properties: object } = exportKinds[kind];
    for (const field of Object.keys(shape.properties)) {
      if (field === 'id') continue;
      const values = own.map((record) => withoutIds(field, record[field]));
      if (`${kind}.${field}` !== 'livres.prets') note(`${kind}.${field}`, values);
      else {
        const prets = values.flat();
        note(
          'livres.prets',
          prets.filter((pret) => !isReturned(pret)),
        );
        note('livres.prets rendus', prets.filter(isReturned));
      }
    }
  }
  return fields;
}

test.each(objectKeys(PERTES_PAR_FICHIER))(
  '%s restores every field of a household, except those that the manual lists',
  async (name) => {
    const house = await openHouse();
    await fillWhole(house);
    await ajouterLivre(house, { titre: 'Un don' }, 'bob');
    const commas = {
      auteurs: ['Anna Mer', 'Durand, Bruno, fils'],
      themes: ['Mer, large', 'Envies'],
    };
    const details = [{ nom: 'Prix', valeur: '12 €' }];
    await ajouterLivre(house, { titre: 'Escale (Nord, #2)', ...commas, details }, 'ana');
    const { bytes } = await download(house, `/api/export/${name}`);
    const other = await openHouse();
    expect(await importInto(other, bytes, 'essai=false&themes=true')).toMatchObject({
      status: 201,
      body: { refuses: [] },
    });
    const [before, after] = [await fieldsOf(house), await fieldsOf(other)];
    const lost = [...before].flatMap(([field, values]) =>
      values === after.get(field) ? [] : field,
    );
    const listed: readonly string[] = PERTES_PAR_FICHIER[name].flatMap((perte) => PERTES[perte]);
    const isListed = (field: string) =>
      listed.includes(field) || listed.includes(field.replace(/\..*/, ''));
    expect(
      lost.filter((field) => !isListed(field)),
      'lost, and not listed: server/subjects/livres/texts.ts does not write it, no reader takes it, or PERTES lacks it',
    ).toEqual([]);
    const isLost = (field: string) =>
      lost.some((each) => each === field || each.startsWith(`${field}.`));
    expect(
      listed.filter((field) => !isLost(field)),
      'listed, and not lost',
    ).toEqual([]);
  },
);

test('names and themes with commas are quoted in Goodreads’ columns, and read back', async () => {
  const house = await openHouse();
  const livre = { auteurs: ['Anna Mer', 'Durand, Bruno, fils'], themes: ['Mer, large', 'Vents'] };
  await ajouterLivre(house, { titre: 'Escales', ...livre }, 'ana');
  const { bytes } = await download(house, '/api/export/goodreads.csv');
  const other = await openHouse();
  expect(await importInto(other, bytes, 'essai=false&themes=true')).toMatchObject({ status: 201 });
  const [come] = (await other.ask('ana', 'GET', '/api/livres')).body as Livre[];
  expect({ ...come, auteurs: come?.auteurs.map(({ nom }) => nom) }).toMatchObject(livre);
});
