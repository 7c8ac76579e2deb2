import { expect, test } from 'vitest';
import { act, houseOf, livre, LIVRES, undo, type Request } from './support/requests.ts';
import { undoesInOrder, type Story } from './support/stories.ts';

const DUNE = { titre: 'Dune', places: [{ titre: 'Un', livreId: 1 }, { titre: 'Deux' }] };
const NUMERO = (numero: string) => ({
  revue: { titre: 'Rives' },
  numero: { numero, themes: ['Mer'] },
});

/** The reason is given if the first modification cannot be undone before the second. */
const STORIES: Readonly<Record<string, Story>> = {
  'two books of one author are deleted': [
    [
      ['POST', LIVRES, livre('Sido', 'Colette')],
      ['POST', LIVRES, livre('Chéri', 'Colette')],
    ],
    [
      ['DELETE', '/api/livres/1'],
      ['DELETE', '/api/livres/2'],
    ],
  ],
  'two books of an author whose full form is hidden are deleted': [
    [
      ['POST', LIVRES, livre('Un', 'JEAN MARTIN')],
      ['POST', LIVRES, livre('Deux', 'J. Martin')],
    ],
    [
      ['DELETE', '/api/livres/1'],
      ['DELETE', '/api/livres/2'],
    ],
  ],
  'the book of an author is deleted, and the author merged': [
    [
      ['POST', LIVRES, livre('Enfance', 'Maxime Gorki')],
      ['POST', LIVRES, livre('Les Bas-fonds', 'Maksim Gorki')],
      ['POST', LIVRES, livre('La Mère', 'Maksim Gorki')],
    ],
    [
      ['DELETE', '/api/livres/2'],
      ['POST', '/api/auteurs/fusions', { auteurs: [1, 2] }],
    ],
  ],
  'the book of an author is deleted, and the refusal of a merge undone': [
    [
      ['POST', LIVRES, livre('Enfance', 'Maxime Gorki')],
      ['POST', LIVRES, livre('Les Bas-fonds', 'Maksim Gorki')],
    ],
    [
      ['POST', '/api/auteurs/refus', { auteurs: [1, 2] }],
      ['DELETE', '/api/livres/1'],
    ],
  ],
  'two issues of one theme are deleted': [
    [
      ['POST', '/api/revues/numeros', NUMERO('1')],
      ['POST', '/api/revues/numeros', NUMERO('2')],
    ],
    [
      ['DELETE', '/api/numeros/1'],
      ['DELETE', '/api/numeros/2'],
    ],
  ],
  'a book and then all others of its author are deleted': [
    Array.from({ length: 31 }, (_, n): Request => ['POST', LIVRES, livre(`N ${n}`, 'Colette')]),
    [
      ['DELETE', '/api/livres/31'],
      [
        'POST',
        '/api/livres/lot',
        { ids: Array.from({ length: 30 }, (_, n) => n + 1), action: 'supprimer' },
      ],
    ],
  ],
  'two wishes beside each other are deleted': [
    ['A', 'B', 'C'].map((titre): Request => ['POST', '/api/souhaits', { titre }]),
    [
      ['DELETE', '/api/souhaits/1'],
      ['DELETE', '/api/souhaits/2'],
    ],
  ],
  'the second of two wishes is deleted first': [
    ['A', 'B', 'C'].map((titre): Request => ['POST', '/api/souhaits', { titre }]),
    [
      ['DELETE', '/api/souhaits/2'],
      ['DELETE', '/api/souhaits/1'],
    ],
  ],
  'wishes are put in order, and one of them is deleted': [
    ['A', 'B', 'C'].map((titre): Request => ['POST', '/api/souhaits', { titre }]),
    [
      ['PUT', '/api/souhaits/ordre', { ids: [3, 1, 2] }],
      ['DELETE', '/api/souhaits/2'],
    ],
  ],
  'a missing volume is wished for, and its series deleted': [
    [
      ['POST', LIVRES, livre('Dune')],
      ['POST', '/api/series', DUNE],
    ],
    [
      ['POST', '/api/places/2/souhait'],
      ['DELETE', '/api/series/1'],
    ],
  ],
  'a series is deleted, and a book of it': [
    [
      ['POST', LIVRES, livre('Dune')],
      ['POST', '/api/series', DUNE],
    ],
    [
      ['DELETE', '/api/series/1'],
      ['DELETE', '/api/livres/1'],
    ],
    'Le livre a été supprimé depuis.',
  ],
  'a book is deleted, and its series': [
    [
      ['POST', LIVRES, livre('Dune')],
      ['POST', '/api/series', DUNE],
    ],
    [
      ['DELETE', '/api/livres/1'],
      ['DELETE', '/api/series/1'],
    ],
    'La série a été supprimée depuis.',
  ],
  'a book is put into a place, and deleted': [
    [
      ['POST', LIVRES, livre('Dune')],
      ['POST', '/api/series', { titre: 'Dune', places: [{ titre: 'Un' }] }],
    ],
    [
      ['PUT', '/api/places/1/livre', { livreId: 1 }],
      ['DELETE', '/api/livres/1'],
    ],
    'La série a été modifiée depuis.',
  ],
  'a cycle is deleted, and a series of it': [
    [
      ['POST', '/api/series', { titre: 'Cycle' }],
      ['POST', '/api/series', { titre: 'Dedans', parentId: 1 }],
    ],
    [
      ['DELETE', '/api/series/1'],
      ['DELETE', '/api/series/2'],
    ],
    'La série Dedans a été supprimée depuis.',
  ],
};

test.each(Object.entries(STORIES))('%s: both are as before once undone in order', (_, story) =>
  undoesInOrder(story),
);

test('an author who returns with another book is no obstacle', async () => {
  const book = livre('Sido');
  const house = await houseOf(['POST', LIVRES, book]);
  const put = await act(house, 'PUT', '/api/livres/1', { ...book, auteurs: ['Colette'] });
  const taken = await act(house, 'PUT', '/api/livres/1', book);
  await act(house, 'POST', LIVRES, livre('Chéri', 'Colette'));
  expect((await undo(house, taken)).status).toBe(201);
  expect((await undo(house, put)).status).toBe(201);
  expect((await house.ask(null, 'GET', LIVRES)).body).toMatchObject([
    { titre: 'Chéri', auteurs: [{ nom: 'Colette' }] },
    { titre: 'Sido', auteurs: [] },
  ]);
});

test('an author keeps the new name that another book has', async () => {
  const house = await houseOf(['POST', LIVRES, livre('Sido', 'Willy')]);
  const renamed = await act(house, 'PUT', '/api/auteurs/1', { nom: 'Colette' });
  const added = await act(house, 'POST', LIVRES, livre('Chéri', 'Colette'));
  expect((await undo(house, renamed)).body).toMatchObject({
    raison: 'L’auteur a d’autres livres depuis.',
  });
  expect((await undo(house, added)).status).toBe(201);
  expect((await undo(house, renamed)).status).toBe(201);
});

test('a theme keeps the new name that another book has', async () => {
  const house = await houseOf(['POST', LIVRES, { ...livre('Dune'), themes: ['SF'] }]);
  const renamed = await act(house, 'PUT', '/api/themes/1', { nom: 'Science-fiction' });
  const book = { ...livre('Solaris'), themes: ['Science-fiction'] };
  const added = await act(house, 'POST', LIVRES, book);
  expect((await undo(house, renamed)).body).toMatchObject({
    raison: 'Le thème sert à d’autres livres ou numéros depuis.',
  });
  expect((await undo(house, added)).status).toBe(201);
  expect((await undo(house, renamed)).status).toBe(201);
});

test('a theme leaves its old name to another of it', async () => {
  const house = await houseOf(['POST', LIVRES, { ...livre('Dune'), themes: ['SF'] }]);
  const renamed = await act(house, 'PUT', '/api/themes/1', { nom: 'Science-fiction' });
  await act(house, 'POST', LIVRES, { ...livre('Solaris'), themes: ['SF'] });
  expect((await undo(house, renamed)).body).toMatchObject({
    raison: 'Un autre thème porte ce nom depuis.',
  });
});

test('an obstacle among two series is named by its title', async () => {
  const house = await houseOf(
    ['POST', '/api/series', { titre: 'Cycle' }],
    ['POST', '/api/series', { titre: 'Seconde époque', parentId: 1 }],
    ['POST', '/api/series', { titre: 'Autre' }],
  );
  const deleted = await act(house, 'DELETE', '/api/series/1');
  await act(house, 'PUT', '/api/series/2', { titre: 'Seconde époque', parentId: 3 });
  expect((await undo(house, deleted)).body).toMatchObject({
    raison: 'La série Seconde époque a été modifiée depuis.',
  });
});
