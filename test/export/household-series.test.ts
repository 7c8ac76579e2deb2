import { expect, test } from 'vitest';
import { MAX_PLACES, type Serie } from '#shared/series';
import { openHouse } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { archiveOf } from './archive.ts';
import { importAndUndo, list, livre } from './records.ts';
import { importInto } from './support.ts';

const place = (id: number, titre: string, more: object = {}) => ({
  id,
  titre,
  position: id,
  ...more,
});

test('series come with their volumes in the same order', async () => {
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
      // Each series contains the other one, which no household allows.
      { id: 8, titre: 'Autour', parentId: 9, places: [] },
      { id: 9, titre: 'Dedans', parentId: 8, places: [place(42, 'C')] },
      { id: 10, titre: 'Ailleurs', parentId: 99, places: [place(43, 'E')] },
    ],
  };
  await importAndUndo(house, records, async () => {
    const series = await list<Serie>(house, '/api/series');
    const titres = new Map(series.map(({ id, titre }) => [id, titre]));
    const summaries = series.map(({ titre, parentId, nombreTomes, places, sousSeries }) => [
      titre,
      titres.get(parentId ?? 0) ?? null,
      nombreTomes,
      ...places.map(({ titre: of, livreId }) => `${of} ${livreId === null ? '-' : '+'}`),
      ...sousSeries.map((each) => each.titre),
    ]);
    expect(summaries).toContainEqual(['Connue', null, null, 'Un +', 'Trois +', 'Deux +']);
    expect(summaries).toContainEqual(['Cycle', null, 4, 'D -', 'B -', 'Dedans']);
    expect(summaries).toContainEqual(['Dedans', 'Cycle', null, 'A +']);
    expect(summaries).toContainEqual(['Ailleurs', null, null, 'E -']);
    expect(summaries.filter(([titre]) => titre === 'Autour' || titre === 'Dedans')).toHaveLength(3);
    const cycle = series.find(({ titre }) => titre === 'Cycle');
    const dedans = cycle?.sousSeries[0]?.id;
    const [d, b] = cycle?.places ?? [];
    expect(cycle?.elements).toEqual([{ place: d?.id }, { serie: dedans }, { place: b?.id }]);
    expect(d).toMatchObject({ numero: '1', isbn: '9782070360024', auteur: 'Colette' });
  });
});

test('a series merged into a large one is imported up to the limit, with a remark', async () => {
  const house = await openHouse();
  await house.ask('ana', 'POST', '/api/series', { titre: 'Rivage' });
  house.context.database.write((tx) =>
    tx.run(
      `INSERT INTO Place (serieId, position, titre, numero)
       SELECT 1, value, 'Rivage', value + 1 FROM json_each(?)`,
      JSON.stringify(Array.from({ length: MAX_PLACES - 2 }, (_, n) => n)),
    ),
  );
  const numbered = (id: number, numero: number) =>
    place(id, `Rivage ${String(numero)}`, { numero: String(numero), livreId: id });
  const archive = archiveOf({
    livres: [1, 2, 3, 4].map((id) => livre(id, `Rivage ${String(id)}`)),
    series: [
      {
        id: 5,
        titre: 'Rivage',
        places: [numbered(1, 1), numbered(2, 8001), numbered(3, 8002), numbered(4, 8003)],
      },
    ],
  });
  const { status, body } = await importInto(house, archive);
  expect([status, body['nouveaux'], body['refuses']]).toEqual([201, 4, []]);
  expect(body['avertissements']).toContainEqual(
    expect.objectContaining({
      ligne: 4,
      raison: `la série « Rivage » est pleine (5\u202f000 volumes) : ce livre et ceux de cette série qui suivent viennent sans elle`,
    }),
  );
  const serie = (await house.ask('ana', 'GET', '/api/series/1')).body as Serie;
  expect(serie.places).toHaveLength(MAX_PLACES);
  const [first, ...last] = [serie.places[0], ...serie.places.slice(-2)];
  expect([first?.livreId, ...last.map(({ numero }) => numero)]).toEqual([
    expect.any(Number),
    '8001',
    '8002',
  ]);
});

test('a book gets no second place in its series, however often its export is imported', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Nadja' });
  await house.ask('ana', 'POST', '/api/series', {
    titre: 'Récits',
    places: [
      { titre: 'Nadja', livreId: 1 },
      { titre: 'Un autre', numero: '2' },
    ],
  });
  const archive = archiveOf({
    livres: [livre(1, 'Nadja')],
    series: [{ id: 5, titre: 'Récits', places: [place(1, 'Nadja', { numero: '2', livreId: 1 })] }],
  });
  for (let time = 0; time < 2; time++)
    expect(await importInto(house, archive)).toMatchObject({ status: 201, body: { series: 0 } });
  const [{ places } = { places: [] }] = await list<Serie>(house, '/api/series');
  expect(places.map(({ numero, livreId }) => [numero, livreId])).toEqual([
    [null, 1],
    ['2', null],
  ]);
});
