import { expect, test } from 'vitest';
import type { Numero } from '#shared/numeros';
import type { Revue } from '#shared/revues';
import { download, importInto } from '../export/support.ts';
import { openHouse, type House } from '../support/house.ts';
import { ajouterNumero, ajouterRevue } from '../support/revues.ts';

const ISSN = '0988-2480';
const AUTRE = '2917-0443';

const revues = async (house: House) =>
  ((await house.ask(null, 'GET', '/api/revues')).body as Revue[]).map(
    ({ titre, issn }) => `${titre} ${issn ?? '-'}`,
  );

const numeros = async (house: House) =>
  ((await house.ask(null, 'GET', '/api/numeros')).body as Numero[])
    .map(({ revueId, numero, une }) => `${String(revueId)} ${numero} ${une ?? '-'}`)
    .sort();

async function exported(): Promise<Buffer> {
  const house = await openHouse();
  await ajouterRevue(house, { titre: 'Cahiers', issn: ISSN });
  await ajouterRevue(house, { titre: 'RIVAGES', issn: AUTRE });
  await ajouterRevue(house, { titre: 'Loupe' });
  await ajouterRevue(house, { titre: 'Zoom' });
  await ajouterNumero(house, 1, { numero: '12 BIS', une: 'Chez eux' });
  await ajouterNumero(house, 1, { numero: '13', une: 'Chez eux' });
  await ajouterNumero(house, 4, { numero: '5' });
  return (await download(house, '/api/export.zip')).bytes;
}

test('restored periodicals join those of equal ISSN or title', async () => {
  const house = await openHouse();
  await ajouterRevue(house, { titre: 'Tout autre' });
  await ajouterRevue(house, { titre: 'Les Cahiers', issn: ISSN });
  await ajouterRevue(house, { titre: 'Rivages' });
  await ajouterNumero(house, 2, { numero: '12 bis', une: 'Chez nous' });
  const before = [await revues(house), await numeros(house)];
  const bytes = await exported();
  const { body } = await importInto(house, bytes);
  expect(body).toMatchObject({ refuses: [] });
  expect(await revues(house)).toEqual([
    `Les Cahiers ${ISSN}`,
    'Loupe -',
    `Rivages ${AUTRE}`,
    'Tout autre -',
    'Zoom -',
  ]);
  expect(await numeros(house)).toEqual(['2 12 bis Chez nous', '2 13 Chez eux', '5 5 -']);
  await house.ask('ana', 'DELETE', `/api/importations/${String(body['id'])}`);
  expect([await revues(house), await numeros(house)]).toEqual(before);
  // A periodical with a newer issue stays.
  const again = await importInto(house, bytes);
  const zoom = ((await house.ask(null, 'GET', '/api/revues')).body as Revue[]).find(
    ({ titre }) => titre === 'Zoom',
  );
  await ajouterNumero(house, zoom?.id ?? 0, { numero: '6' });
  await house.ask('ana', 'DELETE', `/api/importations/${String(again.body['id'])}`);
  expect(await revues(house)).toEqual([
    `Les Cahiers ${ISSN}`,
    'Rivages -',
    'Tout autre -',
    'Zoom -',
  ]);
  expect(await numeros(house)).toEqual(['2 12 bis Chez nous', `${String(zoom?.id)} 6 -`]);
});
