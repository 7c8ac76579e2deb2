import { Type, type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id, Instant, nullable, ParId } from './fields.ts';
import { Livre, PretOuvert } from './livres.ts';

/** A loan, open while `dateRetour` is null (specification « Loan (Pret) »). */
export const Pret = Type.Object({
  ...PretOuvert.properties,
  livreId: Id,
  dateRetour: nullable(Instant),
});
export type Pret = Static<typeof Pret>;

export const PretSaisi = Type.Object({ emprunteur: Pret.properties.emprunteur });
export type PretSaisi = Static<typeof PretSaisi>;

export const preter = endpoint({
  method: 'POST',
  path: '/api/livres/:id/prets',
  summary: 'Prête un livre de papier qui est à la maison.',
  params: ParId,
  body: PretSaisi,
  response: Pret,
  status: 201,
});

/** An open loan with its book, for the list of what is out. */
export const PretEnCours = Type.Object({ ...Pret.properties, livre: Livre });
export type PretEnCours = Static<typeof PretEnCours>;

export const listerPretsEnCours = endpoint({
  method: 'GET',
  path: '/api/prets/en-cours',
  summary: 'Les prêts en cours avec leur livre, du plus ancien au plus récent.',
  response: Type.Array(PretEnCours),
});

export const listerPretsDuLivre = endpoint({
  method: 'GET',
  path: '/api/livres/:id/prets',
  summary: 'L’histoire des prêts d’un livre, le plus récent d’abord.',
  params: ParId,
  response: Type.Array(Pret),
});

export const rendre = endpoint({
  method: 'POST',
  path: '/api/prets/:id/retour',
  summary: 'Clôt un prêt ; un prêt déjà clos reste tel qu’il est.',
  params: ParId,
  response: Pret,
});
