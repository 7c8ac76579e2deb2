import { expect, test } from 'vitest';
import { download } from '../export/support.ts';
import { goodreads } from '../importations/samples.ts';
import { importFile, sendFile } from '../importations/support.ts';
import { openHouse, type House } from '../support/house.ts';
import { random, runs, SEED } from '../support/random.ts';
import { lecturesDe } from './support.ts';

const LINES = 300;

/** The reading data of a Goodreads row. */
interface Line {
  readonly titre: string;
  readonly note: number | null;
  readonly fin: string | null;
  readonly avis: string | null;
  /** How many times the book was read. */
  readonly times: number;
  readonly cells: Readonly<Record<string, string>>;
}

const REVIEWS = [
  ['', null],
  ['Du sable.', 'Du sable.'],
  ['Un mot<br/><br/>sur deux lignes', 'Un mot\n\nsur deux lignes'],
  ['Il dit : "non" ; elle, oui', 'Il dit : "non" ; elle, oui'],
  ['=SOMME(A1)', '=SOMME(A1)'],
  ['- relire\n- offrir', '- relire\n- offrir'],
  ['A &amp; B', 'A & B'],
] as const;

/** A typical Goodreads library: mostly read, rated without a date, dated without a rating, some read again. */
function databaseSummaryOf(seed: number): Line[] {
  const { fraction, integer, oneOf } = random(seed);
  const two = (number: number) => String(number).padStart(2, '0');
  return Array.from({ length: LINES }, (_, n) => {
    const isRead = fraction() < 0.8;
    const stars = isRead ? integer(6) : 0;
    const [review, avis] = isRead && fraction() < 0.2 ? oneOf(REVIEWS) : REVIEWS[0];
    const parts = [String(2000 + integer(26)), two(1 + integer(12)), two(1 + integer(28))];
    const date = parts.slice(0, oneOf([3, 3, 3, 2, 1]));
    const isDated = isRead && fraction() < 0.6;
    const times = isRead ? oneOf([1, 1, 1, 2, 3]) : 0;
    const titre = `Roman ${String(n)}`;
    const dayFirst = fraction() < 0.2;
    return {
      titre,
      note: stars === 0 ? null : stars * 2,
      fin: isDated ? date.join('-') : null,
      avis,
      times,
      cells: {
        Title: fraction() < 0.3 ? `${titre} (Cycle ${String(n % 7)}, #${String(n)})` : titre,
        Author: `Autrice ${String(integer(60))}`,
        'Additional Authors': fraction() < 0.1 ? 'Un Autre, Une Troisième' : '',
        ISBN13: '=""',
        'My Rating': String(stars),
        'Date Read': isDated ? (dayFirst ? date.toReversed() : date).join('/') : '',
        'Exclusive Shelf': isRead ? 'read' : oneOf(['to-read', 'currently-reading', 'à donner']),
        'My Review': review,
        'Read Count': String(times),
        'Owned Copies': '0',
      },
    };
  });
}

/** The readings of a row: all but the last have neither date, rating nor text. */
function readingsOf({ titre, note, fin, avis, times }: Line): string[] {
  const says = note !== null || fin !== null || avis !== null;
  const count = Math.max(times > 1 ? times : 0, says ? 1 : 0);
  return Array.from({ length: count }, (_, index) =>
    JSON.stringify(index === count - 1 ? [titre, note, fin, avis] : [titre, null, null, null]),
  );
}

const noted = async (house: House): Promise<string[]> =>
  (await lecturesDe(house, 'alice'))
    .map(({ titre, note, fin, avis }) => JSON.stringify([titre, note, fin, avis]))
    .sort();

test.each(Array.from({ length: runs(3) }, (_, n) => SEED + n))(
  'three hundred Goodreads lines keep their readings (seed %i)',
  async (seed) => {
    const lines = databaseSummaryOf(seed);
    const expected = lines.flatMap(readingsOf).sort();
    const house = await openHouse();
    const file = goodreads(...lines.map(({ cells }) => cells));
    expect((await sendFile(house, file)).body).toMatchObject({
      lignes: LINES,
      notes: lines.filter(({ note }) => note !== null).length,
      datesDeLecture: lines.filter(({ fin }) => fin !== null).length,
    });
    await importFile(house, file);
    expect(await noted(house)).toEqual(expected);
    for (const path of ['/api/export/goodreads.csv', '/api/export.zip']) {
      const { bytes } = await download(house, path, 'alice');
      const other = await openHouse();
      await importFile(other, bytes);
      expect(await noted(other), path).toEqual(expected);
      // Export and import once more.
      const again = await download(other, '/api/export/goodreads.csv', 'alice');
      await importFile(other, again.bytes);
      expect(await noted(other), `${path}, again`).toEqual(expected);
    }
  },
);

test('a book abandoned on rereading is still exported as read', async () => {
  const house = await openHouse();
  await importFile(house, goodreads({ Title: 'Ulysse', 'Exclusive Shelf': 'read' }));
  const post = (saisie: object) => house.ask('alice', 'POST', '/api/lectures', saisie);
  await post({ livreId: 1, fin: '2019-04-12', note: 7 });
  await post({ livreId: 1, debut: '2022-01-05', abandon: true });
  const reimported = async (name: string) => {
    const { bytes } = await download(house, `/api/export/${name}`, 'alice');
    const other = await openHouse();
    await importFile(other, bytes);
    return other;
  };
  const complete = await reimported('livres.csv');
  expect(await noted(complete)).toEqual([
    JSON.stringify(['Ulysse', 7, '2019-04-12', null]),
    JSON.stringify(['Ulysse', null, null, null]),
  ]);
  expect((await lecturesDe(complete, 'alice')).map(({ abandon }) => abandon)).toEqual([
    true,
    false,
  ]);
  const short = await reimported('goodreads.csv');
  expect(await noted(short)).toEqual([JSON.stringify(['Ulysse', 8, '2019-04-12', null])]);
  expect((await short.ask('alice', 'GET', '/api/livres/1')).body).toMatchObject({ statut: 2 });
  // The book is no longer read; its last reading was abandoned.
  await house.ask('alice', 'PUT', '/api/livres/1/statut', { statut: null });
  const again = await download(house, '/api/export/goodreads.csv', 'alice');
  expect(again.bytes.toString()).toContain(',did-not-finish,');
});

test('each reading keeps its own stars, words and days through the table', async () => {
  const house = await openHouse();
  await importFile(house, goodreads({ Title: 'Ulysse', 'Exclusive Shelf': 'read' }));
  const post = (saisie: object) => house.ask('alice', 'POST', '/api/lectures', saisie);
  await post({ livreId: 1, fin: '2018', note: 8 });
  await post({ livreId: 1, fin: '2019-04-12', avis: 'Pas fini', abandon: true });
  await post({ livreId: 1, fin: '2020-01-05', avis: 'Enfin' });
  const lecturesOf = async (of: House) =>
    (await lecturesDe(of, 'alice'))
      .map(({ fin, note, avis, abandon }) => [fin, note, avis, abandon])
      .sort();
  const expected = await lecturesOf(house);
  expect(expected).toHaveLength(3);
  const { bytes } = await download(house, '/api/export/livres.csv', 'alice');
  const other = await openHouse();
  expect(await importFile(other, bytes)).toMatchObject({ nouveaux: 1, presents: 2 });
  expect(await lecturesOf(other)).toEqual(expected);
  expect((await other.ask('alice', 'GET', '/api/livres/1')).body).toMatchObject({ statut: 2 });
});

test('an abandoned reading keeps its state through every export', async () => {
  const house = await openHouse();
  await importFile(house, goodreads({ Title: 'Ulysse' }, { Title: 'Nadja' }));
  const post = (saisie: object) => house.ask('alice', 'POST', '/api/lectures', saisie);
  await post({ livreId: 1, debut: '2019-03', fin: '2019-04-12', abandon: true, note: 3 });
  await post({ livreId: 2, debut: '2020-01-05', fin: '2020-01-05' });
  const abandonedOf = async (of: House) =>
    (await lecturesDe(of, 'alice')).map(({ titre, fin, statut }) => [titre, fin, statut]);
  for (const name of ['export.zip', 'export/livres.csv', 'export/goodreads.csv']) {
    const { bytes } = await download(house, `/api/${name}`, 'alice');
    const other = await openHouse();
    const { body } = await sendFile(other, bytes);
    expect(body, name).toMatchObject({ notes: 1, datesDeLecture: 2 });
    await importFile(other, bytes);
    expect(await abandonedOf(other), name).toEqual([
      ['Nadja', '2020-01-05', 'Lue'],
      ['Ulysse', '2019-04-12', 'Abandonnee'],
    ]);
  }
});
