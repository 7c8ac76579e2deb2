import { expect, test } from 'vitest';
import { importInto } from '../export/support.ts';
import type { House } from '../support/house.ts';
import { householdRows } from './support/household.ts';
import { act, houseOf, livre, LIVRES, obstaclesTo, undo, undoAct } from './support/requests.ts';

const EMPLACEMENTS = '/api/emplacements';

/** More rows than are undone within a savepoint. */
const SHELVES = 120;

const times = <T>(count: number, work: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => work(n));

/** A deleted room, whose many shelves have no parent since. */
async function deletedRoom(): Promise<{ house: House; before: object; removal: string }> {
  const house = await houseOf(
    ['POST', EMPLACEMENTS, { nom: 'Salon' }],
    ...times(
      SHELVES,
      (n) => ['POST', EMPLACEMENTS, { nom: `Rayon ${String(n)}`, parentId: 1 }] as const,
    ),
  );
  const before = householdRows(house.context.database);
  return { house, before, removal: await act(house, 'DELETE', `${EMPLACEMENTS}/1`) };
}

test('a large undo whose name is taken names the obstacle, and succeeds with it', async () => {
  const { house, before, removal } = await deletedRoom();
  const addition = await act(house, 'POST', EMPLACEMENTS, { nom: 'Salon' });
  const after = householdRows(house.context.database);
  expect((await undo(house, removal)).body).toMatchObject({
    raison: 'Un autre emplacement de ce nom a été ajouté depuis.',
    obstacles: [{ id: Number(addition) }],
  });
  expect(householdRows(house.context.database)).toEqual(after);
  const both = await undoAct(house, removal, '?avec=obstacles');
  expect(householdRows(house.context.database)).toEqual(before);
  await undoAct(house, both);
  expect(householdRows(house.context.database)).toEqual(after);
});

test('a large act stays where an import has taken its name', async () => {
  const { house, removal } = await deletedRoom();
  await importInto(house, Buffer.from('Titre,Emplacement\nSido,Salon\n'));
  const after = householdRows(house.context.database);
  expect(await obstaclesTo(house, removal)).toHaveLength(1);
  const answer = await house.ask(
    'ana',
    'POST',
    `/api/modifications/${removal}/annulation?avec=obstacles`,
  );
  expect(answer).toMatchObject({ status: 409, body: { code: 'ANNULATION_IMPOSSIBLE' } });
  expect(householdRows(house.context.database)).toEqual(after);
});

test('the first of many edits of one book names all others, and goes with them', async () => {
  const edit = (annee: number) => ({ ...livre('Sido'), annee });
  const house = await houseOf(['POST', LIVRES, livre('Sido')]);
  const before = householdRows(house.context.database);
  const edits: string[] = [];
  for (let annee = 1900; annee < 1940; annee++)
    edits.push(await act(house, 'PUT', '/api/livres/1', edit(annee)));
  const [first = '', ...others] = edits;
  expect(await obstaclesTo(house, first)).toEqual(others.toReversed());
  await undoAct(house, first, '?avec=obstacles');
  expect(householdRows(house.context.database)).toEqual(before);
});
