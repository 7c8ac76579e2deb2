import { expect, test } from 'vitest';
import type { Pret, PretEnCours } from '#shared/prets';
import { openHouse } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { send } from '../support/server.ts';

const DAY = '2126-03-03';

test('a day of return is agreed, corrected, cleared and undone', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  const path = '/api/livres/1/prets';
  const lent = await house.ask(null, 'POST', path, { emprunteur: 'Zoé', dateRetourPrevue: DAY });
  expect(lent).toMatchObject({ status: 201, body: { dateRetourPrevue: DAY } });
  const { datePret } = lent.body as Pret;
  const put = (rest: object) =>
    house.ask(null, 'PUT', '/api/prets/1', { emprunteur: 'Zoé', datePret, ...rest });
  const moved = await put({ dateRetourPrevue: '2126-04-01' });
  expect(moved.body).toMatchObject({ dateRetourPrevue: '2126-04-01' });
  const act = moved.headers.get('x-modification');
  await house.ask(null, 'POST', `/api/modifications/${String(act)}/annulation`);
  const now = async () =>
    (await house.ask(null, 'GET', '/api/prets/en-cours')).body as PretEnCours[];
  expect(await now()).toMatchObject([{ dateRetourPrevue: DAY }]);
  expect((await put({})).body).toMatchObject({ dateRetourPrevue: null });
});

test.each([
  ['2026-02-30', 'est un jour (2026-03-12)'],
  ['2026-03', 'est un jour (2026-03-12)'],
  ['2026-01-01', 'La date de retour ne peut pas précéder celle du prêt.'],
])('a return on « %s » is refused', async (dateRetourPrevue, message) => {
  const house = await openHouse();
  await ajouterLivre(house);
  const pret = { emprunteur: 'Zoé', datePret: '2026-01-05T12:00:00Z', dateRetourPrevue };
  const lent = await house.ask(null, 'POST', '/api/livres/1/prets', pret);
  expect(lent).toMatchObject({
    status: 400,
    body: { champs: [{ champ: 'dateRetourPrevue', message }] },
  });
});

test('many books are lent until one day', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  const lot = { ids: [1], action: 'preter', emprunteur: 'Zoé', dateRetourPrevue: DAY };
  expect((await house.ask('alice', 'POST', '/api/livres/lot', lot)).status).toBe(200);
  const { body } = await house.ask(null, 'GET', '/api/prets/en-cours');
  expect(body).toMatchObject([{ dateRetourPrevue: DAY }]);
});

test('a calendar has the open loans with a due date, by day', async () => {
  const house = await openHouse();
  for (const titre of ['Dune; I, II', 'Rendu', 'Sans jour'])
    await house.ask('alice', 'POST', '/api/livres', { titre, format: 'Physique' });
  const lend = (id: number, more: object) =>
    house.ask(null, 'POST', `/api/livres/${String(id)}/prets`, { emprunteur: 'Zoé', ...more });
  await lend(1, { dateRetourPrevue: DAY });
  await lend(2, { dateRetourPrevue: DAY });
  await lend(3, {});
  await house.ask(null, 'POST', '/api/prets/2/retour');
  for (const aRendre of [DAY, null])
    await house.ask('alice', 'POST', '/api/livres', {
      titre: `Ourika ${String(aRendre)}`,
      format: 'Physique',
      emprunteA: { nom: 'Luc', depuis: '2026-01-02', aRendre },
    });
  const { status, headers, text } = await send(`${house.url}/api/prets/echeances.ics`);
  expect([status, headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8']);
  const sequenceOf = (calendar: string) => Number(/^SEQUENCE:(\d+)/m.exec(calendar)?.[1]);
  const again = {
    emprunteur: 'Zoé',
    datePret: '2026-01-02T00:00:00Z',
    dateRetourPrevue: '2126-03-04',
  };
  await house.ask(null, 'PUT', '/api/prets/1', again);
  const after = (await send(`${house.url}/api/prets/echeances.ics`)).text;
  expect(sequenceOf(after)).toBeGreaterThan(sequenceOf(text));
  const lines = text.replaceAll('\r\n ', '').split('\r\n');
  expect(lines.filter((line) => /^(?:SUMMARY|DTSTART|UID)/.test(line))).toEqual([
    'UID:pret-1@rayonnage',
    'DTSTART;VALUE=DATE:21260303',
    String.raw`SUMMARY:Dune\; I\, II\, à rendre par Zoé`,
    'UID:emprunt-4@rayonnage',
    'DTSTART;VALUE=DATE:21260303',
    String.raw`SUMMARY:Ourika 2126-03-03\, à rendre à Luc`,
  ]);
});
