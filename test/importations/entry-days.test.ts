import { expect, test } from 'vitest';
import { noon } from './days.ts';
import type { Importation } from '#shared/importations';
import type { Livre } from '#shared/livres';
import { openHouse, type House } from '../support/house.ts';
import { babelio, goodreads, libraryThing } from './samples.ts';
import { sendFile } from './support.ts';

const executer = async (house: House, { id }: Importation, choices: object) =>
  (await house.ask('alice', 'POST', `/api/importations/${id}/execution`, choices))
    .body as Importation;

async function daysOf(house: House): Promise<Record<string, string>> {
  const livres = (await house.ask('alice', 'GET', '/api/livres')).body as Livre[];
  return Object.fromEntries(livres.map(({ titre, dateAjout }) => [titre, dateAjout]));
}

const today = () => new Date().toISOString().slice(0, 10);

const calibre = [
  '"authors","author_sort","rating","library_name","timestamp","formats","isbn","identifiers","comments","tags","series","series_index","languages","title","title_sort","publisher","pubdate","id","uuid"',
  '"Jean Giono","Giono, Jean","","L","2019-05-04T23:30:12+02:00","epub","","","","","","1.0","fra","Colline","Colline","Grasset","1929-01-01T00:00:00+00:00","1","aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa"',
  '',
].join('\n');

/** A time in the service's zone, in the notation of a program. */
const local = (...parts: readonly [number, number, number, number, number]) =>
  new Date(...parts).toISOString();

test.each([
  [
    'Goodreads',
    goodreads({ Title: 'Colline', Author: 'Jean Giono', 'Date Added': '2018/01/02' }),
    noon('2018-01-02'),
  ],
  [
    'LibraryThing',
    libraryThing({ Title: 'Colline', 'Primary Author': 'Giono, Jean', 'Entry Date': '2019-01-02' }),
    noon('2019-01-02'),
  ],
  [
    'Babelio',
    babelio(['', 'Colline', 'Giono Jean', 'Grasset', '01/01/1929', '15/01/2019 10:30', 'Lu', '0'])
      .bytes,
    local(2019, 0, 15, 10, 30),
  ],
  ['Calibre', calibre, '2019-05-04T21:30:12.000Z'],
  [
    'Libib',
    'item_type,title,creators,collection,ean_isbn13,upc_isbn10,description,publisher,publish_date,tags,notes,price,length,rating,review,status,began,completed,added,copies\nbook,Colline,Jean Giono,Livres,,,,,,,,,,,,,,,2020-06-01,1\n',
    noon('2020-06-01'),
  ],
  [
    'StoryGraph',
    'Title,Authors,Contributors,ISBN/UID,Format,Read Status,Date Added,Last Date Read,Dates Read,Read Count,Star Rating,Review,Tags,Owned?\nColline,Jean Giono,,,paperback,read,2021/03/04,,,1,,,,Yes\n',
    noon('2021-03-04'),
  ],
  ['a table', 'Titre;Auteur;Ajouté le\nColline;Jean Giono;13/02/2020\n', noon('2020-02-13')],
])('%s: a book keeps its day of entry if chosen', async (_, file, day) => {
  const house = await openHouse();
  const { body } = await sendFile(house, file);
  expect(body.perdus.flatMap(({ entrees }) => entrees ?? [])).toEqual([1]);
  const executed = await executer(house, body, { datesEntree: true });
  expect(Object.entries(await daysOf(house))).toEqual([['Colline', day]]);
  expect(executed.perdus.filter(({ entrees }) => entrees !== undefined)).toEqual([]);
});

test('a book gets the day of its import by default, or without a readable day', async () => {
  const house = await openHouse();
  const file = goodreads(
    { Title: 'Colline', 'Date Added': '2018/01/02' },
    { Title: 'Regain', 'Date Added': '########' },
    { Title: 'Que ma joie demeure', 'Date Added': '2999/01/01' },
  );
  const { body } = await sendFile(house, file);
  expect(body.perdus).toContainEqual(
    expect.objectContaining({ colonne: 'Date Added', lignes: 3, entrees: 1 }),
  );
  const executed = await executer(house, body, {});
  expect(executed.perdus.map(({ colonne }) => colonne)).toContain('Date Added');
  const days = Object.values(await daysOf(house));
  expect(days.map((day) => day.slice(0, 10))).toEqual([today(), today(), today()]);
});

test('an import that is undone and redone keeps its days of entry', async () => {
  const house = await openHouse();
  const file = goodreads({ Title: 'Colline', 'Date Added': '2018/01/02' }, { Title: 'Regain' });
  const { body } = await sendFile(house, file);
  await executer(house, body, { datesEntree: true });
  await house.ask('alice', 'DELETE', `/api/importations/${body.id}`);
  expect(await daysOf(house)).toEqual({});
  await executer(house, body, {});
  expect((await daysOf(house))['Colline']).toBe(noon('2018-01-02'));
});

test('a list can be filtered by the books of one’s own import', async () => {
  const house = await openHouse();
  await house.ask('alice', 'POST', '/api/livres', { titre: 'Regain', format: 'Physique' });
  const file = goodreads(
    { Title: 'Colline', 'Date Added': '2018/01/02' },
    { Title: 'Regain' },
    { Title: 'Un de Baumugnes' },
    { Title: 'Ubik', Bookshelves: 'wishlist' },
  );
  const { body } = await sendFile(house, file);
  const found = async (reader: string | null, query = '') => {
    const path = `/api/livres?importation=${body.id}${query}`;
    const { body: livres } = await house.ask(reader, 'GET', path);
    return (livres as Livre[]).map(({ titre }) => titre);
  };
  expect(await found('alice')).toEqual([]);
  await executer(house, body, { datesEntree: true });
  await house.ask('alice', 'POST', '/api/livres', { titre: 'Sido', format: 'Physique' });
  expect(await found('alice')).toEqual(['Colline', 'Un de Baumugnes']);
  expect(await found('alice', '&recherche=coll')).toEqual(['Colline']);
  expect(await found('bob')).toEqual([]);
  expect(await found(null)).toEqual([]);
  const none = await house.ask('alice', 'GET', '/api/livres?importation=999');
  expect(none.body).toEqual([]);
  await house.ask('alice', 'DELETE', `/api/importations/${body.id}`);
  expect(await found('alice')).toEqual([]);
});
