import { expect, test } from 'vitest';
import type { Livre } from '#shared/livres';
import type { Serie } from '#shared/series';
import { openHouse } from '../support/house.ts';
import { MORE_FILES } from './catalogue-files.ts';
import { FILES } from './program-files.ts';
import { countsOf, importFile, none } from './support.ts';

test.each(Object.entries({ ...FILES, ...MORE_FILES }))(
  'reads a file of %s',
  async (format, { file, counts, livre }) => {
    const house = await openHouse();
    const importation = await importFile(house, file);
    expect(importation.format).toBe(format);
    expect(countsOf(importation)).toEqual({ ...none, ...counts });
    const livres = (await house.ask('alice', 'GET', '/api/livres')).body as Livre[];
    expect(livres[0]).toMatchObject(livre ?? {});
    const series = (await house.ask('alice', 'GET', '/api/series')).body as Serie[];
    expect(series).toHaveLength(importation.series);
    expect(await importFile(house, file)).toMatchObject({
      nouveaux: 0,
      souhaits: 0,
      prets: 0,
      series: 0,
    });
  },
);
