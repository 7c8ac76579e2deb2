import { Type, type Static } from 'typebox';
import { endpoint, onRecord } from './endpoint.ts';
import { Id, Instant, Issn, MAX_LENGTHS, nullable, optionalText, Rang, text } from './fields.ts';
import { Numero, numeroAjoute, numeroKey, NumeroSaisi } from './numeros.ts';
import { OrdreSaisi } from './souhaits.ts';
import { titreKey } from './text.ts';

/** An issue of a periodical that someone wants (docs/rules.md § 17). */
export const RevueSouhaitee = Type.Object({
  id: Id,
  titre: text(MAX_LENGTHS.titre),
  numero: nullable(Type.String({ maxLength: MAX_LENGTHS.nom })),
  issn: nullable(Issn),
  /** Books have ranks of their own. */
  rang: Rang,
  dateAjout: Instant,
});
export type RevueSouhaitee = Static<typeof RevueSouhaitee>;

export const RevueSouhaiteeSaisie = Type.Object({
  titre: text(MAX_LENGTHS.titre),
  numero: optionalText(MAX_LENGTHS.nom),
  issn: optionalText(MAX_LENGTHS.code),
});
export type RevueSouhaiteeSaisie = Static<typeof RevueSouhaiteeSaisie>;

type WishedIssue = Pick<RevueSouhaiteeSaisie, 'titre' | 'numero'>;

/** The keys of a wished issue: periodical and number; no number counts as one. */
export const revueSouhaiteeKeys = ({ titre, numero }: WishedIssue) => ({
  cleOeuvre: titreKey(titre),
  numeroNormalise: numeroKey(numero?.trim() ?? ''),
});

export function revueSouhaiteeKey(revue: WishedIssue): string {
  const { cleOeuvre, numeroNormalise } = revueSouhaiteeKeys(revue);
  return `${cleOeuvre}\n${numeroNormalise}`;
}

export const listerRevuesSouhaitees = endpoint({
  method: 'GET',
  path: '/api/souhaits-revues',
  summary: 'Les revues souhaitées par la personne qui appelle, par rang.',
  response: Type.Array(RevueSouhaitee),
});

export const ajouterRevueSouhaitee = endpoint({
  method: 'POST',
  path: '/api/souhaits-revues',
  record: { collection: 'souhaits-revues' },
  modification: { operation: 'ajouterRevueSouhaitee', message: 'souhaitAjoute' },
  summary: 'Ajoute une revue à la fin de la liste.',
  body: RevueSouhaiteeSaisie,
  response: RevueSouhaitee,
  status: 201,
});

export const modifierRevueSouhaitee = endpoint({
  ...onRecord('souhaits-revues'),
  method: 'PUT',
  modification: { operation: 'modifierRevueSouhaitee', message: 'souhaitModifie' },
  summary: 'Récrit une revue souhaitée ; son rang reste.',
  body: RevueSouhaiteeSaisie,
  response: RevueSouhaitee,
});

export const supprimerRevueSouhaitee = endpoint({
  ...onRecord('souhaits-revues'),
  method: 'DELETE',
  modification: { operation: 'supprimerRevueSouhaitee', message: 'souhaitRetire' },
  summary: 'Retire une revue de la liste.',
});

/** A purchased issue; its number defaults to the wish's. */
export const RevueSouhaiteeAchat = Type.Object({
  ...NumeroSaisi.properties,
  numero: optionalText(MAX_LENGTHS.nom),
});
export type RevueSouhaiteeAchat = Static<typeof RevueSouhaiteeAchat>;

export const acheterRevueSouhaitee = endpoint({
  method: 'POST',
  path: '/api/souhaits-revues/:id/achat',
  record: { collection: 'numeros' },
  modification: numeroAjoute,
  summary: 'Fait d’une revue souhaitée un numéro de la bibliothèque ; elle quitte la liste.',
  body: RevueSouhaiteeAchat,
  response: Numero,
  status: 201,
});

export const ordonnerRevuesSouhaitees = endpoint({
  method: 'PUT',
  path: '/api/souhaits-revues/ordre',
  modification: { operation: 'ordonnerRevuesSouhaitees', message: 'revuesSouhaiteesRangees' },
  summary: 'Range la liste des revues souhaitées dans un nouvel ordre.',
  body: OrdreSaisi,
  response: Type.Array(RevueSouhaitee),
});
