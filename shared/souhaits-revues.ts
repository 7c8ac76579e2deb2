import { Type, type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id, Instant, LONGUEURS, nullable, ParId, texte, texteFacultatif } from './fields.ts';
import { OrdreSaisi } from './souhaits.ts';

/** An issue of a periodical that someone wants (specification « Periodical wish »). */
export const RevueSouhaitee = Type.Object({
  id: Id,
  titre: texte(LONGUEURS.titre),
  numero: nullable(Type.String({ maxLength: LONGUEURS.nom })),
  issn: nullable(Type.String({ maxLength: 9 })),
  /** The place in this list, which numbers its ranks apart from the books'. */
  rang: Type.Integer({ minimum: 1 }),
  dateAjout: Instant,
});
export type RevueSouhaitee = Static<typeof RevueSouhaitee>;

export const RevueSouhaiteeSaisie = Type.Object({
  titre: texte(LONGUEURS.titre),
  numero: texteFacultatif(LONGUEURS.nom),
  issn: texteFacultatif(LONGUEURS.code),
});
export type RevueSouhaiteeSaisie = Static<typeof RevueSouhaiteeSaisie>;

export const listerRevuesSouhaitees = endpoint({
  method: 'GET',
  path: '/api/souhaits-revues',
  summary: 'Les revues souhaitées par la personne qui appelle, par rang.',
  response: Type.Array(RevueSouhaitee),
  personal: true,
});

export const ajouterRevueSouhaitee = endpoint({
  method: 'POST',
  path: '/api/souhaits-revues',
  summary: 'Ajoute une revue à la fin de la liste.',
  body: RevueSouhaiteeSaisie,
  response: RevueSouhaitee,
  status: 201,
  personal: true,
});

export const modifierRevueSouhaitee = endpoint({
  method: 'PUT',
  path: '/api/souhaits-revues/:id',
  summary: 'Récrit une revue souhaitée ; son rang reste.',
  params: ParId,
  body: RevueSouhaiteeSaisie,
  response: RevueSouhaitee,
  personal: true,
});

export const supprimerRevueSouhaitee = endpoint({
  method: 'DELETE',
  path: '/api/souhaits-revues/:id',
  summary: 'Retire une revue de la liste.',
  params: ParId,
  status: 204,
  personal: true,
});

export const ordonnerRevuesSouhaitees = endpoint({
  method: 'PUT',
  path: '/api/souhaits-revues/ordre',
  summary: 'Range la liste des revues souhaitées dans un nouvel ordre.',
  body: OrdreSaisi,
  response: Type.Array(RevueSouhaitee),
  personal: true,
});
