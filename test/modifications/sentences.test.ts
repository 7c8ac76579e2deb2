import { expect, test } from 'vitest';
import { openHouse, type Answer, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';

const undo = (house: House, { headers }: Answer) =>
  house.ask('ana', 'POST', `/api/modifications/${headers.get('X-Modification') ?? ''}/annulation`);

const sentenceOf = ({ headers }: Answer) =>
  decodeURIComponent(headers.get('X-Modification-Resume') ?? '');

test('an undo names the modification that it undoes', async () => {
  const house = await openHouse();
  const ask = (method: string, path: string, body?: object) => house.ask('ana', method, path, body);
  for (const titre of ['Dune', 'Sido', 'Gigi']) await ajouterLivre(house, { titre });
  const revue = { revue: { titre: 'La Hulotte' }, numero: { numero: '112' } };
  const acts: [Answer, string][] = [
    [
      await ask('POST', '/api/livres/1/prets', { emprunteur: 'Luc' }),
      'Le prêt de « Dune » est annulé.',
    ],
    [
      await ask('PUT', '/api/livres/2', { titre: 'Sido', format: 'Physique', annee: 1930 }),
      'La modification de « Sido » est annulée.',
    ],
    [
      await ask('PUT', '/api/livres/2/statut', { statut: 1 }),
      'Le changement de statut de « Sido » est annulé.',
    ],
    [
      await ask('POST', '/api/livres/lot', { ids: [2, 3], action: 'supprimer' }),
      'La modification de 2 livres est annulée.',
    ],
    [await ask('POST', '/api/revues/numeros', revue), 'L’ajout du n°\u00a0112 est annulé.'],
    [await ask('POST', '/api/series', { titre: 'Cycle' }), 'L’ajout de « Cycle » est annulé.'],
  ];
  for (const [act, sentence] of acts.toReversed()) {
    const undone = await undo(house, act);
    expect(sentenceOf(undone)).toBe(sentence);
    const again = await undo(house, undone);
    expect(sentenceOf(again)).toBe(sentence.replace(' annulé', ' rétabli'));
    expect(sentenceOf(await undo(house, again))).toBe(sentence);
  }
});

test('a refused undoing names its act with the obstacle', async () => {
  const house = await openHouse();
  const added = await house.ask('ana', 'POST', '/api/livres', {
    titre: 'Dune',
    format: 'Physique',
  });
  const lent = await house.ask('ana', 'POST', '/api/livres/1/prets', { emprunteur: 'Léa' });
  expect((await undo(house, added)).body).toMatchObject({
    code: 'ANNULATION_IMPOSSIBLE',
    raison: 'Le livre est prêté à Léa.',
    message: 'L’ajout ne peut plus être annulé : le livre est prêté à Léa.',
  });
  await house.ask('ana', 'POST', '/api/prets/1/retour');
  expect((await undo(house, lent)).body).toMatchObject({
    message: 'Le prêt ne peut plus être annulé : le livre a été rendu depuis.',
  });
});
