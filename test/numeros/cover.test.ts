import { expect, test } from 'vitest';
import { sendBefore } from '../couvertures/support/sent-before.ts';
import { put } from '../couvertures/support/choosing.ts';
import { picture } from '../couvertures/support/pictures.ts';
import { openHouse } from '../support/house.ts';
import { ajouterNumero, ajouterRevue } from '../support/revues.ts';

const ADDRESS = 'https://revues.example/1.jpg';

async function houseOfOne(coverUrl: string | null = null) {
  const house = await openHouse();
  await ajouterRevue(house);
  await ajouterNumero(house, 1, { coverUrl });
  const edit = (saisie: object) =>
    house.ask(null, 'PUT', '/api/numeros/1', { numero: '1', ...saisie });
  const undo = (id: unknown) =>
    house.ask(null, 'POST', `/api/modifications/${String(id)}/annulation`);
  const shown = async () => {
    const { body } = await house.ask(null, 'GET', '/api/numeros/1');
    return (body as { couverture: { cle: string } | null }).couverture?.cle ?? null;
  };
  return { house, edit, undo, shown };
}

test('an issue takes no picture, and gives none back', async () => {
  const { house, shown } = await houseOfOne();
  const sent = await put(house, '/api/numeros/1/couverture', await picture('#00ff00'));
  expect(sent).toMatchObject({ status: 404 });
  expect(sent.json()).toMatchObject({ code: 'INTROUVABLE' });
  const removed = await house.ask(null, 'DELETE', '/api/numeros/1/couverture');
  expect(removed).toMatchObject({ status: 404, body: { code: 'INTROUVABLE' } });
  expect(await shown()).toBeNull();
});

test('a picture sent before stays until an address is set', async () => {
  const { house, edit, undo, shown } = await houseOfOne();
  const { cle } = await sendBefore(house.context, 1, await picture('#00ff00'));
  await edit({ une: 'Autre' });
  expect(await shown()).toBe(cle);
  const { headers } = await edit({ coverUrl: ADDRESS });
  expect(await shown()).toBeNull();
  await undo(headers.get('x-modification'));
  expect(await shown()).toBe(cle);
});

test('an address that was there, or goes, leaves it', async () => {
  const { house, edit, shown } = await houseOfOne(ADDRESS);
  const { cle } = await sendBefore(house.context, 1, await picture('#00ff00'));
  await edit({ coverUrl: ADDRESS, une: 'Autre' });
  expect(await shown()).toBe(cle);
  await edit({ coverUrl: null });
  expect(await shown()).toBe(cle);
});

test('the act that sent it can be undone and redone', async () => {
  const { house, undo, shown } = await houseOfOne();
  const { cle, act } = await sendBefore(house.context, 1, await picture('#00ff00'));
  const undone = await undo(act);
  expect(undone).toMatchObject({ status: 201 });
  expect(await shown()).toBeNull();
  await undo(undone.headers.get('x-modification'));
  expect(await shown()).toBe(cle);
});
