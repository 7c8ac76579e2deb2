import { Type, type Static } from 'typebox';
import { textOf } from './change-reader.ts';
import { endpoint, onRecord } from './endpoint.ts';
import { Day, Id, Instant, nullable, optionalText } from './fields.ts';
import { Livre, OpenPret } from './livres.ts';

/** A loan, open while `dateRetour` is null (docs/rules.md § 11). */
export const Pret = Type.Object({
  ...OpenPret.properties,
  livreId: Id,
  dateRetour: nullable(Instant),
  /** When it is to be given back. */
  dateRetourPrevue: nullable(Day),
});
export type Pret = Static<typeof Pret>;

const { emprunteur, datePret } = Pret.properties;

/** The first day of a loan, by default now, and its due day, if agreed. */
export const pretDates = { datePret: Type.Optional(datePret), dateRetourPrevue: optionalText(10) };

export const PretSaisi = Type.Object({ emprunteur, ...pretDates });
export type PretSaisi = Static<typeof PretSaisi>;

export const PretCorrige = Type.Object({ ...PretSaisi.properties, datePret });
export type PretCorrige = Static<typeof PretCorrige>;

/** A written loan, with the typed name if an earlier loan spells the borrower differently. */
export const PretEcrit = Type.Object({
  ...Pret.properties,
  emprunteurSaisi: Type.Optional(Type.String()),
});

export const preter = endpoint({
  method: 'POST',
  path: '/api/livres/:id/prets',
  record: { collection: 'prets' },
  modification: {
    operation: 'preter',
    message: (changes) => ({
      fait: 'livrePrete',
      emprunteur: textOf(changes.value('Pret', 'emprunteur')),
      nom: changes.name('livres'),
    }),
  },
  actsAsHousehold: true,
  summary: 'Prête un livre de papier qui est à la maison.',
  body: PretSaisi,
  response: PretEcrit,
  status: 201,
});

export const PretEnCours = Type.Object({ ...Pret.properties, livre: Livre });
export type PretEnCours = Static<typeof PretEnCours>;

export const listerPretsEnCours = endpoint({
  method: 'GET',
  path: '/api/prets/en-cours',
  summary: 'Les prêts en cours avec leur livre, du plus ancien au plus récent.',
  response: Type.Array(PretEnCours),
});

export const exporterEcheances = endpoint({
  method: 'GET',
  path: '/api/prets/echeances.ics',
  keyInAddress: true,
  summary:
    'Les retours convenus, pour un agenda ; une clé de lecture peut être dans l’adresse (?cle=).',
  response: Type.String(),
  type: 'text/calendar',
});

/** The calendar's address for a program that sends no headers; `jeton` is a read-only key. */
export const echeancesPath = (jeton: string): `/api/${string}` =>
  `${exporterEcheances.path}?cle=${jeton}`;

export const listerPretsOfLivre = endpoint({
  method: 'GET',
  path: '/api/livres/:id/prets',
  summary: 'L’histoire des prêts d’un livre, le plus récent d’abord.',
  response: Type.Array(Pret),
});

export const modifierPret = endpoint({
  ...onRecord('prets'),
  method: 'PUT',
  modification: {
    operation: 'modifierPret',
    message: (changes) => ({ fait: 'pretCorrige', nom: changes.name('livres') }),
  },
  actsAsHousehold: true,
  summary: 'Corrige l’emprunteur et les dates d’un prêt.',
  body: PretCorrige,
  response: PretEcrit,
});

export const rendre = endpoint({
  method: 'POST',
  path: '/api/prets/:id/retour',
  record: { collection: 'prets' },
  modification: {
    operation: 'rendre',
    message: (changes) => ({
      fait: 'livreRentre',
      emprunteur: textOf(changes.value('Pret', 'emprunteur')),
      nom: changes.name('livres'),
    }),
  },
  actsAsHousehold: true,
  summary: 'Clôt un prêt ; un prêt déjà clos reste tel qu’il est.',
  response: Pret,
});
