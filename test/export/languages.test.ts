import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import type { Lecture } from '#shared/lectures';
import type { Livre } from '#shared/livres';
import { openHouse, type House } from '../support/house.ts';
import { download, importInto, unzip } from './support.ts';

const ENGLISH = { LANGUAGE: 'en' };

/** A household with two books: read, abandoned, lent, with a detail. */
async function furnished(settings: Record<string, string> = {}): Promise<House> {
  const house = await openHouse(undefined, settings);
  const send = async (method: string, path: string, body: object) => {
    const { status, body: answer } = await house.ask('ana', method, `/api/${path}`, body);
    expect(status, `${path} ${JSON.stringify(answer)}`).toBeLessThan(300);
  };
  await send('POST', 'emplacements', { nom: 'Salon' });
  await send('POST', 'livres', {
    titre: 'Dune',
    format: 'Physique',
    auteurs: ['Frank Herbert', 'Hugo, Victor'],
    isbn: '2070360024',
    typeDocument: 'Roman',
    editeur: 'Laffont & fils',
    annee: 1965,
    nombrePages: 412,
    themes: ['Sable', 'Roman, essai'],
    emplacementId: 1,
    details: [{ nom: 'Prix', valeur: '12 €' }],
    place: { serie: { titre: 'Le Cycle' }, numero: '2', tomes: '2-3' },
  });
  await send('POST', 'livres', { titre: 'Solaris', format: 'Numerique', auteurs: ['Lem'] });
  await send('POST', 'livres', { titre: 'Ubik', format: 'Physique' });
  await send('POST', 'livres/1/prets', {
    emprunteur: 'Luc',
    datePret: '2026-01-05T12:00:00.000Z',
    dateRetourPrevue: '2126-03-03',
  });
  await send('PUT', 'livres/1/statut', { statut: 2, jour: '2026-01-03' });
  await send('PUT', 'lectures/1', { livreId: 1, fin: '2026-01-03', note: 9, avis: 'Du sable' });
  await send('PUT', 'livres/2/statut', { statut: 0 });
  await send('POST', 'lectures', { livreId: 3, debut: '2026-01-04', page: 35, abandon: true });
  return house;
}

const tableOf = async (house: House, utilisateur = 'ana') =>
  (await download(house, '/api/export/livres.csv', utilisateur)).bytes;

test('a table has the headers and words of the household’s language', async () => {
  const text = (await tableOf(await furnished(ENGLISH))).toString();
  const [head = '', first = ''] = text.split('\r\n');
  expect(head).toBe(
    '\ufeffTitle,Authors,ISBN,Publisher,Year,Pages,Format,Type,Status,Stars,Readings,My words,Page reached,Day of the page,Series,Number,Volumes contained,Themes,Location,Lent to,Date lent,Borrowed from,Borrowed on,Due on,Added by,Date added,Cover,Detail: Price',
  );
  expect(first).toContain(',print,Roman,read,4.5,2026-01-03,Du sable,');
  expect(parse(text, { bom: true, columns: true })).toMatchObject([
    { Title: 'Dune', Format: 'print', Status: 'read' },
    { Title: 'Solaris', Format: 'e-book', Status: 'to read' },
    { Title: 'Ubik', Format: 'print', Status: 'given up' },
  ]);
});

const LANGUAGES: readonly (readonly [string, Record<string, string>])[] = [
  ['French', {}],
  ['English', ENGLISH],
];

test.each(
  LANGUAGES.flatMap(([from, settings]) =>
    LANGUAGES.map(([to, others]) => [from, to, settings, others] as const),
  ),
)('a table of a house in %s comes back into one in %s', async (_from, _to, settings, others) => {
  const house = await furnished(settings);
  const other = await openHouse(undefined, others);
  const { status, body } = await importInto(other, await tableOf(house), 'essai=false&themes=true');
  expect([status, body['nouveaux'], body['refuses'], body['avertissements']]).toEqual([
    201,
    3,
    [],
    [],
  ]);
  const livresOf = async (one: House) =>
    ((await one.ask('ana', 'GET', '/api/livres')).body as Livre[]).map((livre) => ({
      ...livre,
      auteurs: livre.auteurs.map(({ nom }) => nom),
      dateAjout: null,
      version: null,
    }));
  expect(await livresOf(other)).toEqual(await livresOf(house));
  const lecturesOf = async (one: House) =>
    ((await one.ask('ana', 'GET', '/api/lectures')).body as Lecture[]).map(
      ({ titre, debut, fin, note, avis, abandon, page }) => [
        titre,
        debut,
        fin,
        note,
        avis,
        abandon,
        page,
      ],
    );
  expect(await lecturesOf(other)).toEqual(await lecturesOf(house));
});

test('the page of an archive is the reader’s, its tables are the household’s', async () => {
  const house = await furnished();
  const response = await fetch(`${house.url}/api/export.zip`, {
    headers: { ...house.headersOf('ana'), 'Accept-Language': 'en-GB' },
  });
  const files = await unzip(Buffer.from(await response.arrayBuffer()));
  const page = files.get('README.html') ?? '';
  expect(page).toContain('<html lang="en">');
  expect(page).toContain('Personal items belong to ana, and to nobody else.');
  expect(page).toContain('<td>3</td><td>the books, with all their loans');
  expect(page).not.toMatch(/[«»éèê]/u);
  expect(files.get('livres.csv')).toMatch(/^Titre;Auteurs;/);
});

test('a calendar and lists of wishes are in the language of who asks, else the household’s', async () => {
  const house = await furnished(ENGLISH);
  await house.ask('ana', 'POST', '/api/souhaits', { titre: 'Stalker' });
  const ask = async (path: string, language?: string) => {
    const headers = { ...house.headersOf('ana'), ...(language && { 'Accept-Language': language }) };
    const response = await fetch(house.url + path, { headers });
    return { text: await response.text(), name: response.headers.get('content-disposition') ?? '' };
  };
  const calendar = '/api/prets/echeances.ics';
  expect((await ask(calendar, '')).text).toContain('SUMMARY:Dune\\, to be returned by Luc');
  expect((await ask(calendar, 'fr')).text).toContain('SUMMARY:Dune\\, à rendre par Luc');
  const list = await ask('/api/souhaits/export.txt', 'en');
  expect(list.text).toMatch(
    /^Wish list, \d+ \w+ \d{4}\n\nBOOKS\n\nUnknown author\n {2}1\. Stalker/,
  );
  expect(list.name).toContain('wishes-');
  expect((await ask('/api/souhaits/export.txt', 'fr')).text).toMatch(/^Liste de souhaits du /);
  const table = await ask('/api/souhaits/export.csv', 'fr');
  expect(table.text).toContain('Type,Rank,Title,Author,Issue,Code\r\nBook,1,Stalker,,,');
});
