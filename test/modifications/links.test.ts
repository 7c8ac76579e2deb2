import { test } from 'vitest';
import { livre, LIVRES, type Request } from './support/requests.ts';
import { undoesInOrder, type Story } from './support/stories.ts';

const souhait = (titre: string): Request => ['POST', '/api/souhaits', { titre }];
const place = (titre: string, livreId: number | null = null) => ({ titre, livreId });
const serie = (titre: string, ...places: object[]): Request => [
  'POST',
  '/api/series',
  { titre, places },
];
const emplacement = (nom: string, parentId: number | null = null): Request => [
  'POST',
  '/api/emplacements',
  { nom, parentId },
];
const dans = (parentId: number, titre: string): Request => [
  'POST',
  '/api/series',
  { titre, parentId },
];
/** The places 5 to 3 of a series. */
const LAST_PLACES = ['Cinq', 'Quatre', 'Trois'].map((titre, index) => ({ id: 5 - index, titre }));
const renamed: Request = ['PUT', '/api/auteurs/1', { nom: 'Colette' }];

/** Modifications of records that refer to each other: places, wishes, locations, names of authors. */
const STORIES: Readonly<Record<string, Story>> = {
  'a series is added, and its missing volume wished for': [
    [],
    [serie('Dune', place('Un')), ['POST', '/api/places/1/souhait']],
  ],
  'a series is added, and another one put into it': [
    [serie('Dedans')],
    [serie('Cycle'), ['PUT', '/api/series/1', { titre: 'Dedans', parentId: 2 }]],
    'Une série y a été rangée depuis.',
  ],
  'a series within a cycle is deleted, and the one within it': [
    [serie('Cycle', place('Un')), dans(1, 'Dedans'), dans(2, 'Profond')],
    [
      ['DELETE', '/api/series/2'],
      ['DELETE', '/api/series/3'],
    ],
    'La série Profond a été supprimée depuis.',
  ],
  'a series is renamed and put into a cycle, and deleted': [
    [serie('Cycle'), serie('Un')],
    [
      ['PUT', '/api/series/2', { titre: 'Deux', parentId: 1 }],
      ['DELETE', '/api/series/2'],
    ],
    'La série Deux a été supprimée depuis.',
  ],
  'places are put in order, and some of them give way to a new one': [
    [serie('Dune', ...['Un', 'Deux', 'Trois', 'Quatre', 'Cinq'].map((titre) => place(titre)))],
    [
      ['PUT', '/api/series/1/ordre', { elements: [5, 4, 3, 2, 1].map((id) => ({ place: id })) }],
      ['PUT', '/api/series/1', { titre: 'Arrakis', places: [...LAST_PLACES, place('Neuf')] }],
    ],
  ],
  'a place is given another book, which is deleted while it is in a second place, too': [
    [
      ['POST', LIVRES, livre('Dune')],
      ['POST', LIVRES, livre('Arrakis')],
      serie('Dune', place('Un', 2), place('Deux', 1)),
    ],
    [
      ['PUT', '/api/places/1/livre', { livreId: 1 }],
      ['DELETE', '/api/livres/1'],
    ],
    'La série a été modifiée depuis.',
  ],
  'a place is given a book, and deleted': [
    [['POST', LIVRES, livre('Dune')], serie('Dune', place('Un'))],
    [
      ['PUT', '/api/places/1/livre', { livreId: 1 }],
      ['PUT', '/api/series/1', { titre: 'Dune', places: [] }],
    ],
    'La série a été modifiée depuis.',
  ],
  'a place is renamed, and deleted': [
    [serie('Dune', place('Un'))],
    [
      ['PUT', '/api/series/1', { titre: 'Dune', places: [{ id: 1, titre: 'Premier' }] }],
      ['PUT', '/api/series/1', { titre: 'Dune', places: [] }],
    ],
    'La série a été modifiée depuis.',
  ],
  'a wish is added, and all are put in order': [
    [souhait('A'), souhait('B')],
    [souhait('C'), ['PUT', '/api/souhaits/ordre', { ids: [3, 2, 1] }]],
  ],
  'a status is changed, and taken away': [
    [
      ['POST', LIVRES, livre('Sido')],
      ['PUT', '/api/livres/1/statut', { statut: 2 }],
    ],
    [
      ['PUT', '/api/livres/1/statut', { statut: 0 }],
      ['PUT', '/api/livres/1/statut', { statut: null }],
    ],
    'Le livre a été modifié depuis.',
  ],
  'the library is named, and named otherwise': [
    [],
    [
      ['PUT', '/api/bibliotheque', { nom: 'Chez nous' }],
      ['PUT', '/api/bibliotheque', { nom: 'Ici' }],
    ],
    'Ce qu’elle touche a été modifié depuis.',
  ],
  'a location is added, and a book deleted that stood in another one': [
    [
      emplacement('Salon'),
      ['POST', LIVRES, livre('Sido')],
      ['PUT', '/api/livres/1/emplacement', { emplacementId: 1 }],
    ],
    [emplacement('Chambre'), ['DELETE', '/api/livres/1']],
  ],
  'a location is added within another one, and deleted': [
    [emplacement('Salon')],
    [emplacement('Nord', 1), ['DELETE', '/api/emplacements/2']],
    'L’emplacement Nord a été supprimé depuis.',
  ],
  'a location is moved, and the one deleted in which it was': [
    [emplacement('Salon'), emplacement('Nord', 1), emplacement('Cuisine')],
    [
      ['PUT', '/api/emplacements/2', { nom: 'Nord', parentId: 3 }],
      ['DELETE', '/api/emplacements/1'],
    ],
    'L’emplacement Salon a été supprimé depuis.',
  ],
  'a location is deleted, and the one in which it was': [
    [emplacement('Salon'), emplacement('Nord', 1)],
    [
      ['DELETE', '/api/emplacements/2'],
      ['DELETE', '/api/emplacements/1'],
    ],
    'L’emplacement Salon a été supprimé depuis.',
  ],
  'two books are put into a location, which is deleted': [
    [['POST', LIVRES, livre('Sido')], ['POST', LIVRES, livre('Ida')], emplacement('Salon')],
    [
      ['POST', '/api/livres/lot', { ids: [1, 2], action: 'emplacement', emplacementId: 1 }],
      ['DELETE', '/api/emplacements/1'],
    ],
    'Le livre Ida a été modifié depuis.',
  ],
  'books are put into a series, and one of them is deleted with another one of it': [
    [
      ...['Un', 'Deux', 'Trois'].map((titre): Request => ['POST', LIVRES, livre(titre)]),
      serie('Dune', place('Un', 1)),
    ],
    [
      ['POST', '/api/livres/lot', { ids: [2, 3], action: 'serie', serieId: 1 }],
      ['POST', '/api/livres/lot', { ids: [1, 3], action: 'supprimer' }],
    ],
    'La série a été modifiée depuis.',
  ],
  'the authors of a book change places, and it is deleted': [
    [['POST', LIVRES, livre('Claudine', 'Colette', 'Willy')]],
    [
      ['PUT', '/api/livres/1', livre('Claudine', 'Willy', 'Colette')],
      ['DELETE', '/api/livres/1'],
    ],
  ],
  'an author is renamed, and a wish deleted': [
    [['POST', LIVRES, livre('Sido', 'Willy')], souhait('Ida')],
    [renamed, ['DELETE', '/api/souhaits/1']],
  ],
  'an author is renamed, and a series added': [
    [['POST', LIVRES, livre('Sido', 'Willy')]],
    [renamed, serie('Dune', place('Un'))],
  ],
  'an author is renamed, and one of two books deleted': [
    [
      ['POST', LIVRES, livre('Sido', 'Willy')],
      ['POST', LIVRES, livre('Ida', 'Willy')],
    ],
    [renamed, ['DELETE', '/api/livres/1']],
  ],
  'one of two books is deleted, and their author renamed': [
    [
      ['POST', LIVRES, livre('Sido', 'Willy')],
      ['POST', LIVRES, livre('Ida', 'Willy')],
    ],
    [['DELETE', '/api/livres/1'], renamed],
  ],
  'an author is renamed, and put behind another one of the book': [
    [['POST', LIVRES, livre('Sido', 'Willy')]],
    [renamed, ['PUT', '/api/livres/1', livre('Sido', 'Ève Nord', 'Colette')]],
  ],
  'an author is renamed, and given a book of another one': [
    [
      ['POST', LIVRES, livre('Sido', 'Willy')],
      ['POST', LIVRES, livre('Ida', 'Nord')],
    ],
    [renamed, ['PUT', '/api/livres/2', livre('Ida', 'Colette')]],
    'L’auteur a d’autres livres depuis.',
  ],
  'the spelling of an author is changed, and another book of them added': [
    [['POST', LIVRES, livre('Sido', 'COLETTE')]],
    [renamed, ['POST', LIVRES, livre('Ida', 'Colette')]],
  ],
};

test.each(Object.entries(STORIES))('%s: both are as before once undone in order', (_, story) =>
  undoesInOrder(story),
);
