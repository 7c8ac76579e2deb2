import type { Statut } from '#shared/statuts';

/** The readers of the demonstration; the first one is signed in. */
export const RESIDENTS = ['camille', 'louis', 'ines'] as const;
export type Resident = (typeof RESIDENTS)[number];

/** A loan, in days before today; open unless it has a day of return. */
interface DemoPret {
  titre: string;
  emprunteur: string;
  lentDaysAgo: number;
  returnedDaysAgo?: number;
}

export const prets: readonly DemoPret[] = [
  { titre: 'Persepolis', emprunteur: 'Sophie', lentDaysAgo: 310, returnedDaysAgo: 285 },
  { titre: 'L’Étranger', emprunteur: 'Karim', lentDaysAgo: 250, returnedDaysAgo: 190 },
  { titre: 'Le Petit Prince', emprunteur: 'Tante Hélène', lentDaysAgo: 232, returnedDaysAgo: 204 },
  { titre: 'La Horde du Contrevent', emprunteur: 'Luc', lentDaysAgo: 168, returnedDaysAgo: 60 },
  { titre: 'Chanson douce', emprunteur: 'Sophie', lentDaysAgo: 140, returnedDaysAgo: 122 },
  { titre: 'Je sais cuisiner', emprunteur: 'la voisine', lentDaysAgo: 118, returnedDaysAgo: 111 },
  { titre: 'Persepolis', emprunteur: 'Mamie Jeanne', lentDaysAgo: 96, returnedDaysAgo: 71 },
  { titre: 'Le Guépard', emprunteur: 'Tante Hélène', lentDaysAgo: 131 },
  { titre: 'La Promesse de l’aube', emprunteur: 'Tante Hélène', lentDaysAgo: 131 },
  { titre: 'Mrs Dalloway', emprunteur: 'Tante Hélène', lentDaysAgo: 54 },
  { titre: 'Les Bijoux de la Castafiore', emprunteur: 'Hugo', lentDaysAgo: 47 },
  { titre: 'Objectif Lune', emprunteur: 'Hugo', lentDaysAgo: 47 },
  { titre: 'L’Anomalie', emprunteur: 'Sophie', lentDaysAgo: 33 },
  { titre: 'Petit Pays', emprunteur: 'Karim', lentDaysAgo: 30, returnedDaysAgo: 12 },
  { titre: 'La Nuit des temps', emprunteur: 'Luc', lentDaysAgo: 19 },
  { titre: 'L’Arabe du futur', emprunteur: 'Mamie Jeanne', lentDaysAgo: 8 },
  { titre: 'La Vie secrète des arbres', emprunteur: 'la voisine', lentDaysAgo: 2 },
];

const [aLire, enCours, lu] = [0, 1, 2] as const satisfies Statut[];

/** The statuses of each resident, by the beginnings of titles. */
export const statutsByResident: Record<Resident, Partial<Record<Statut, readonly string[]>>> = {
  camille: {
    [enCours]: ['Mémoires d’Hadrien', 'Le Monde sans fin'],
    [aLire]: [
      'Désert',
      'Dora Bruder',
      'Kafka sur le rivage',
      'La plus secrète mémoire des hommes',
      'Montaillou',
      'Mrs Dalloway',
      'Tristes Tropiques',
    ],
    [lu]: [
      'Au revoir là-haut',
      'Chanson douce',
      'Culottées',
      'Jane Eyre',
      'L’Amant',
      'L’Art de perdre',
      'L’Élégance du hérisson',
      'L’Étranger',
      'La Place',
      'La Promesse de l’aube',
      'La Servante écarlate',
      'Le Nom de la rose',
      'Les Années',
      'Orgueil et Préjugés',
      'Persepolis',
      'Réparer les vivants',
      'Zazie dans le métro',
    ],
  },
  louis: {
    [enCours]: ['Dune'],
    [aLire]: ['Fondation', 'Le Maître et Marguerite', 'Ravage'],
    [lu]: [
      '1984',
      'Blacksad',
      'Chroniques martiennes',
      'Fahrenheit 451',
      'La Horde du Contrevent',
      'La Nuit des temps',
      'Le Hobbit',
      'Pars vite et reviens tard',
      'Vingt mille lieues sous les mers',
    ],
  },
  ines: {
    [enCours]: ['Harry Potter et la Chambre des secrets'],
    [aLire]: ['Les Royaumes du Nord', 'Le Petit Prince'],
    [lu]: [
      'Astérix et Cléopâtre',
      'Charlie et la Chocolaterie',
      'Fifi Brindacier',
      'Harry Potter à l’école des sorciers',
      'Le Petit Nicolas',
      'Objectif Lune',
      'On a marché sur la Lune',
      'Tintin au Tibet',
    ],
  },
};
