import { expect, test } from 'vitest';
import { resumeOf, type Message } from '#shared/history';
import { atLeastOne } from '../support/at-least-one.ts';
import { openHouse, type House } from '../support/house.ts';

type Act = readonly [resume: string, request: string, body?: object];

const A_DAY = '2026-01-05T12:00:00.000Z';
const livre = (titre: string, ...auteurs: string[]) => ({ titre, auteurs, format: 'Physique' });
const numero = (revue: string, numero: string) => ({ revue: { titre: revue }, numero: { numero } });
const deux = (action: string, fields: object = {}) => ({ ids: [1, 2], action, ...fields });

const FIRST_VOLUME = { id: 1, titre: 'Gigi', livreId: 4 };
const volumes = (...places: object[]) => ['PUT series/1', { titre: 'Claudine', places }] as const;

/** Requests that prepare each household. */
const FIRST: readonly Act[] = [
  ['Livre ajouté : Dune', 'POST livres', livre('Dune', 'Frank Herbert')],
  ['Livre ajouté : Enfance', 'POST livres', livre('Enfance', 'Maxime Gorki')],
  ['Livre ajouté : Sido', 'POST livres', livre('Sido', 'Maksim Gorki', 'Zoé')],
  [
    'Livre ajouté : Gigi, dans la série Claudine',
    'POST livres',
    { ...livre('Gigi'), place: { serie: { titre: 'Claudine' } } },
  ],
];

/** The requests of each household in turn, with the expected sentences of the history. */
const ACTS: Readonly<Record<string, readonly Act[]>> = {
  'books and authors': [
    ['Livre modifié : Dune', 'PUT livres/1', livre('Dune', 'Franz Herbert')],
    ['Auteur renommé : Franz Herbert → Frank Herbert', 'PUT auteurs/5', { nom: 'Frank Herbert' }],
    ['Auteur renommé : Frank Herbert → FRANK HERBERT', 'PUT auteurs/5', { nom: 'FRANK HERBERT' }],
    ['Livre ajouté : Noces', 'POST livres', livre('Noces', 'M. Gorki')],
    [
      'Auteurs fusionnés : Maksim Gorki et Maxime Gorki',
      'POST auteurs/fusions',
      { auteurs: [2, 3] },
    ],
    [
      'Auteurs gardés à part : Maxime Gorki et FRANK HERBERT',
      'POST auteurs/refus',
      { auteurs: [5, 2] },
    ],
    ['Bibliothèque nommée « Chez nous »', 'PUT bibliotheque', { nom: 'Chez nous' }],
    ['Livre supprimé : Sido', 'DELETE livres/3'],
    ['2 livres supprimés', 'POST livres/lot', deux('supprimer')],
  ],
  'authors who are one': [
    ['Auteur renommé : Maksim Gorki → M. Gorki', 'PUT auteurs/3', { nom: 'M. Gorki' }],
    ['Livre ajouté : Thomas', 'POST livres', livre('Thomas', 'Pierre Gorki')],
    // An initial that only one author may have is that author.
    ['Auteur renommé : Maxime Gorki → P. Gorki', 'PUT auteurs/2', { nom: 'P. Gorki' }],
    ['Auteur renommé : P. Gorki → Paul Gorki', 'PUT auteurs/2', { nom: 'Paul Gorki' }],
  ],
  locations: [
    ['Emplacement ajouté : Salon', 'POST emplacements', { nom: 'Salon' }],
    ['Emplacement ajouté : Carton', 'POST emplacements', { nom: 'Carton' }],
    ['Déplacé dans Salon : Carton', 'PUT emplacements/2', { nom: 'Carton', parentId: 1 }],
    ['Emplacement déplacé : Carton', 'PUT emplacements/2', { nom: 'Carton', parentId: null }],
    ['Fermé : Carton', 'PUT emplacements/2', { nom: 'Carton', fermeLe: A_DAY }],
    ['Rouvert : Carton', 'PUT emplacements/2', { nom: 'Carton' }],
    ['Emplacement modifié : Boîte', 'PUT emplacements/2', { nom: 'Boîte', fermeLe: A_DAY }],
    ['Emplacements réordonnés', 'PUT emplacements/ordre', { ids: [2, 1] }],
    ['Rangé dans Salon : Dune', 'PUT livres/1/emplacement', { emplacementId: 1 }],
    ['Sans emplacement : Dune', 'PUT livres/1/emplacement', { emplacementId: null }],
    ['2 livres rangés dans Boîte', 'POST livres/lot', deux('emplacement', { emplacementId: 2 })],
    ['2 livres sans emplacement', 'POST livres/lot', deux('emplacement', { emplacementId: null })],
    [
      '1 livre rangé dans Salon',
      'POST livres/lot',
      { ids: [1], action: 'emplacement', emplacementId: 1 },
    ],
    ['Emplacement supprimé : Boîte', 'DELETE emplacements/2'],
  ],
  'statuses and loans': [
    ['Marqué à lire : Dune', 'PUT livres/1/statut', { statut: 0 }],
    ['Marqué en cours : Dune', 'PUT livres/1/statut', { statut: 1 }],
    ['Marqué comme lu : Dune', 'PUT livres/1/statut', { statut: 2 }],
    ['Marqué comme pas commencé : Dune', 'PUT livres/1/statut', { statut: null }],
    ['Marqué en cours : 2 livres', 'POST livres/lot', deux('statut', { statut: 1 })],
    ['Marqué comme pas commencé : 2 livres', 'POST livres/lot', deux('statut', { statut: null })],
    ['Prêté à Luc : Dune', 'POST livres/1/prets', { emprunteur: 'Luc' }],
    ['Prêt corrigé : Dune', 'PUT prets/1', { emprunteur: 'Max', datePret: A_DAY }],
    ['Rendu par Max : Dune', 'POST prets/1/retour'],
    ['2 livres prêtés à Léa', 'POST livres/lot', deux('preter', { emprunteur: 'Léa' })],
    ['2 livres rendus', 'POST livres/lot', deux('rendre')],
    ['2 livres modifiés', 'POST livres/lot', deux('typeDocument', { typeDocument: 'Roman' })],
  ],
  // The status of these books stays the same.
  'readings that are noted again': [
    ['Marqué en cours : Dune', 'PUT livres/1/statut', { statut: 1 }],
    ['Lecture retirée : Dune', 'DELETE lectures/1'],
    ['Marqué en cours : Dune', 'PUT livres/1/statut', { statut: 1 }],
    ['Marqué comme lu : Dune', 'PUT livres/1/statut', { statut: 2 }],
    ['Lecture retirée : Dune', 'DELETE lectures/2'],
    ['Marqué comme lu : Dune', 'PUT livres/1/statut', { statut: 2 }],
    ['Lecture retirée : Dune', 'DELETE lectures/3'],
    ['Marqué comme lu : 2 livres', 'POST livres/lot', deux('statut', { statut: 2 })],
    ['Marqué à lire : 2 livres', 'POST livres/lot', deux('statut', { statut: 0 })],
    ['Marqué comme pas commencé : 2 livres', 'POST livres/lot', deux('statut', { statut: null })],
  ],
  'volumes that are missing': [
    ['Ajouté : 1 volume qui manque à Claudine', ...volumes({ titre: 'Avant' }, FIRST_VOLUME)],
    [
      'Ajouté : 1 volume qui manque à Claudine',
      ...volumes({ titre: 'Début' }, { id: 2, titre: 'Avant' }, FIRST_VOLUME),
    ],
    [
      'Série modifiée : Claudine',
      ...volumes({ id: 2, titre: 'Avant' }, { id: 3, titre: 'Début' }, FIRST_VOLUME),
    ],
    [
      'Série modifiée : Claudine',
      ...volumes(
        { titre: 'Fin' },
        ...[{ id: 2, titre: 'Avant', numero: '0' }, { id: 3, titre: 'Début' }, FIRST_VOLUME],
      ),
    ],
    ['Série modifiée : Claudine', ...volumes({ titre: 'Seul' }, FIRST_VOLUME)],
    [
      'Série modifiée : Claudine',
      ...volumes({ titre: 'Un' }, { titre: 'Sido', livreId: 3 }, FIRST_VOLUME),
    ],
  ],
  series: [
    [
      '2 livres placés dans la série Cycle',
      'POST livres/lot',
      deux('serie', { serie: { titre: 'Cycle' } }),
    ],
    [
      '1 livre placé dans la série Claudine',
      'POST livres/lot',
      { ids: [1], action: 'serie', serieId: 1 },
    ],
    [
      '1 livre placé dans la série Cycle · 1 inchangé',
      'POST livres/lot',
      { ids: [1, 4], action: 'serie', serieId: 2 },
    ],
    ['Placé dans la série Cycle : Sido', 'PUT livres/3/serie', { serie: { id: 2 } }],
    ['Placé dans la série Cycle : Sido', 'PUT livres/3/serie', { serie: { id: 2 }, numero: '3' }],
    [
      'Tomes contenus notés : Sido',
      'PUT livres/3/serie',
      { serie: { id: 2 }, numero: '3', tomes: '3-4' },
    ],
    ['Retiré de la série Cycle : Sido', 'PUT livres/3/serie', { serie: null }],
    ['Placé dans la série Claudine : Sido', 'PUT places/1/livre', { livreId: 3 }],
    ['Retiré de la série Claudine : Sido', 'PUT places/1/livre', { livreId: null }],
    ['Série ajoutée : Neuve', 'POST series', { titre: 'Neuve', places: [] }],
    ['Placée dans Cycle : Neuve', 'PUT series/3', { titre: 'Neuve', parentId: 2, places: [] }],
    [
      'Finie en 3 volumes : Neuve',
      'PUT series/3',
      { titre: 'Neuve', parentId: 2, nombreTomes: 3, places: [] },
    ],
    ['N’est plus finie : Neuve', 'PUT series/3', { titre: 'Neuve', parentId: 2, places: [] }],
    ['Série modifiée : Neuve', 'PUT series/3', { titre: 'Neuve', places: [] }],
    [
      'Série modifiée : Neuve',
      'PUT series/3',
      { titre: 'Neuve', parentId: 2, nombreTomes: 4, places: [] },
    ],
    ['Série modifiée : Neuve', 'PUT series/3', { titre: 'Neuve', places: [] }],
    ['Finie en 1 volume : Neuve', 'PUT series/3', { titre: 'Neuve', nombreTomes: 1, places: [] }],
    ['Finie en 4 volumes : Neuve', 'PUT series/3', { titre: 'Neuve', nombreTomes: 4, places: [] }],
    ['N’est plus finie : Neuve', 'PUT series/3', { titre: 'Neuve', places: [] }],
    [
      'Ajouté : 1 volume qui manque à Neuve',
      'PUT series/3',
      { titre: 'Neuve', places: [{ titre: 'Un' }] },
    ],
    ['Série modifiée : Neuve', 'PUT series/3', { titre: 'Neuve', places: [{ titre: 'Zéro' }] }],
    ['Série modifiée : Neuve', 'PUT series/3', { titre: 'Neuve', places: [] }],
    [
      'Série modifiée : Neuve',
      'PUT series/3',
      { titre: 'Neuve', places: [{ titre: 'Un', livreId: 3 }] },
    ],
    ['Série modifiée : Neuve', 'PUT series/3', { titre: 'Neuve', nombreTomes: 2, places: [] }],
    ['N’est plus finie : Neuve', 'PUT series/3', { titre: 'Neuve', places: [] }],
    [
      'Ajoutés : 2 volumes qui manquent à Neuve',
      'PUT series/3',
      { titre: 'Neuve', places: [{ titre: 'Un' }, { titre: 'Deux' }] },
    ],
    ['Série modifiée : Vieille', 'PUT series/3', { titre: 'Vieille', nombreTomes: 4, places: [] }],
    ['Série supprimée : Vieille', 'DELETE series/3'],
  ],
  themes: [
    [
      'Livre modifié : Dune',
      'PUT livres/1',
      { ...livre('Dune', 'Frank Herbert'), themes: ['Sable'] },
    ],
    ['Thème Vent ajouté : 2 livres', 'POST livres/lot', deux('ajouterTheme', { theme: 'Vent' })],
    ['Thème renommé : Sable → Dunes', 'PUT themes/1', { nom: 'Dunes' }],
    ['Thème renommé : Dunes → Vent', 'PUT themes/1', { nom: 'vent' }],
    ['Thème Vent retiré : 2 livres', 'POST livres/lot', deux('retirerTheme', { theme: 'Vent' })],
  ],
  periodicals: [
    ['Revue ajoutée : Rivages', 'POST revues', { titre: 'Rivages' }],
    ['Revue modifiée : Rivages', 'POST revues', { titre: 'Rivages', issn: '0988-2480' }],
    ['Revue modifiée : Rivages', 'PUT revues/1', { titre: 'Rivages', issn: null }],
    ['Numéro ajouté : Rivages n°\u00a012', 'POST revues/numeros', numero('Rivages', '12')],
    ['Numéro ajouté : Rivages Hors-série 3', 'POST revues/1/numeros', { numero: 'Hors-série 3' }],
    ['Numéro modifié : Rivages n°\u00a013', 'PUT numeros/1', { numero: '13' }],
    ['Numéro supprimé : Rivages n°\u00a013', 'DELETE numeros/1'],
    ['Revue supprimée et son numéro : Rivages', 'DELETE revues/1'],
    ['Revue ajoutée : Cahiers', 'POST revues', { titre: 'Cahiers' }],
    ['Revue supprimée : Cahiers', 'DELETE revues/2'],
    ['Numéro ajouté : Loupe n°\u00a01', 'POST revues/numeros', numero('Loupe', '1')],
    ['Numéro ajouté : Loupe n°\u00a02', 'POST revues/numeros', numero('Loupe', '2')],
    ['Revue supprimée et ses 2 numéros : Loupe', 'DELETE revues/3'],
  ],
  wishes: [
    ['Retiré de la série Claudine : Gigi', 'PUT places/1/livre', { livreId: null }],
    ['Souhait ajouté : Gigi', 'POST places/1/souhait'],
    ['Souhait ajouté : Ida', 'POST souhaits', { titre: 'Ida' }],
    ['Souhait modifié : Idées', 'PUT souhaits/2', { titre: 'Idées' }],
    ['Souhaits réordonnés', 'PUT souhaits/ordre', { ids: [2, 1] }],
    [
      'Livre ajouté : Gigi, dans la série Claudine',
      'POST souhaits/1/achat',
      { confirmerDoublon: true },
    ],
    ['Souhait retiré : Idées', 'DELETE souhaits/2'],
    ['Souhait ajouté : Zoom', 'POST souhaits-revues', { titre: 'Zoom', numero: '4' }],
    ['Souhait ajouté : Ours', 'POST souhaits-revues', { titre: 'Ours' }],
    ['Souhait modifié : Zoom', 'PUT souhaits-revues/1', { titre: 'Zoom', numero: '5' }],
    ['Revues souhaitées réordonnées', 'PUT souhaits-revues/ordre', { ids: [2, 1] }],
    ['Numéro ajouté : Zoom n°\u00a05', 'POST souhaits-revues/1/achat', {}],
    ['Souhait retiré : Ours', 'DELETE souhaits-revues/2'],
  ],
};

test.each(Object.entries(ACTS))(
  'the history describes each modification in a sentence: %s',
  async (_, own) => {
    const house = await openHouse();
    const acts = [...FIRST, ...own];
    const sentences: string[] = [];
    for (const [, request, body] of acts) {
      const [method = '', path = ''] = request.split(' ');
      const answer = await house.ask('ana', method, `/api/${path}`, body);
      const resume = answer.headers.get('X-Modification-Resume');
      sentences.push(
        resume === null ? `${request}: ${JSON.stringify(answer.body)}` : decodeURIComponent(resume),
      );
    }
    expect(sentences).toEqual(acts.map(([sentence]) => sentence));
    const stored = keptActs(house);
    expect(stored.map(({ message }) => resumeOf(message, 'fr'))).toEqual(sentences);
    const list = await house.ask('ana', 'GET', '/api/modifications?langue=en&limite=1000');
    const english = (list.body as { resume: string }[]).map(({ resume }) => resume).toReversed();
    expect(english).toEqual(stored.map(({ message }) => resumeOf(message, 'en')));
    // No sentence is in French.
    expect(english.filter((sentence) => sentences.includes(sentence))).toEqual([]);
    for (const act of stored)
      expect(JSON.stringify(act)).not.toContain(resumeOf(act.message, 'fr'));
  },
);

interface KeptAct {
  readonly message: Message;
}

function keptActs({ context: { database } }: House): KeptAct[] {
  const rows = database.values<string>('SELECT arguments FROM Modification ORDER BY id');
  return atLeastOne(rows.map((text) => ({ message: JSON.parse(text) as Message })));
}

test('an undo is stored without a sentence', async () => {
  const house = await openHouse();
  const { database } = house.context;
  const ask = (path: string, body?: object) => house.ask('ana', 'POST', `/api/${path}`, body);
  await ask('livres', livre('Dune', 'Frank Herbert'));
  await ask('livres/1/prets', { emprunteur: 'Luc : son frère' });
  await ask('modifications/1/annulation?avec=obstacles');
  await ask('modifications/3/annulation');
  const stored = keptActs(house);
  expect(stored.map(({ message }) => resumeOf(message, 'fr'))).toEqual([
    'Livre ajouté : Dune',
    'Prêté à Luc : son frère : Dune',
    'L’ajout de « Dune » est annulé, avec une autre action.',
    'L’ajout de « Dune » est rétabli.',
  ]);
  expect(JSON.stringify(database.all('SELECT * FROM Modification'))).not.toMatch(
    /est annulé|est rétabli|Prêté|ajouté/,
  );
});
