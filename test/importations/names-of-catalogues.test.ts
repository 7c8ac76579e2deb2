import { expect, test } from 'vitest';
import type { Auteur } from '#shared/auteurs';
import type { NomInverse } from '#shared/importations';
import { eventually } from '../support/eventually.ts';
import type { House } from '../support/house.ts';
import { houseWithSources, testUpstream } from '../support/upstream.ts';
import { babelio } from './samples.ts';
import { sendFile } from './support.ts';

const FILE = babelio(
  ['9782948012178', 'The Lighthouse Ledger', 'Poe Edgar Allan', '', '', '', 'Lu', '0'],
  ['9782070360024', 'Fragments', 'Sand George Aurore', '', '', '', 'Lu', '0'],
);

const nomsOf = async (house: House, id: number) =>
  (await house.ask('alice', 'GET', `/api/importations/${id}/noms`)).body as NomInverse[];

/** The catalogues, of which one knows the author of the first book. */
async function catalogues() {
  const upstream = await testUpstream();
  upstream.behave('/authors/OL900001A', (_, response) =>
    response
      .writeHead(200, { 'Content-Type': 'application/json' })
      .end(JSON.stringify({ type: { key: '/type/author' }, name: 'Edgar Allan Poe' })),
  );
  return upstream;
}

test('a doubtful name that the catalogues know is no question', async () => {
  const house = await houseWithSources(await catalogues());
  const { body } = await sendFile(house, FILE.bytes, {}, 'alice');
  await eventually(async () => (await nomsOf(house, body.id)).map(({ nom }) => nom)).toEqual([
    'Sand George Aurore',
  ]);
  await house.ask('alice', 'POST', `/api/importations/${body.id}/execution`, {});
  const auteurs = (await house.ask('alice', 'GET', '/api/auteurs')).body as Auteur[];
  expect(auteurs.map(({ nom }) => nom).sort()).toEqual(['Edgar Allan Poe', 'Sand George Aurore']);
});

test('an import does not wait for catalogues that are silent', async () => {
  const upstream = await catalogues();
  upstream.behave('/', (_, response) => void response.writeHead(503).end());
  const house = await houseWithSources(upstream);
  const { body } = await sendFile(house, FILE.bytes, {}, 'alice');
  expect(await nomsOf(house, body.id)).toHaveLength(2);
  const made = await house.ask('alice', 'POST', `/api/importations/${body.id}/execution`, {});
  expect(made).toMatchObject({ status: 200, body: { etat: 'faite', nouveaux: 2 } });
});
