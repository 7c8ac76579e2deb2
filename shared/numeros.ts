import { Type, type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id, LONGUEURS, nullable, ParId, texte, texteFacultatif } from './fields.ts';

/** An issue of a periodical: recorded only, neither lent nor read (specification « issue »). */
export const Numero = Type.Object({
  id: Id,
  revueId: Id,
  numero: texte(LONGUEURS.nom),
  /** A day, a month or a year of ISO 8601. */
  date: nullable(Type.String({ maxLength: 10 })),
  coverUrl: nullable(Type.String({ maxLength: LONGUEURS.url })),
  une: nullable(Type.String({ maxLength: LONGUEURS.texteLibre })),
  resume: nullable(Type.String({ maxLength: LONGUEURS.texteLibre })),
  themes: Type.Array(Type.String()),
  articles: Type.Array(Type.String()),
});
export type Numero = Static<typeof Numero>;

export const NumeroSaisi = Type.Object({
  numero: texte(LONGUEURS.nom),
  date: texteFacultatif(10),
  coverUrl: texteFacultatif(LONGUEURS.url),
  une: texteFacultatif(LONGUEURS.texteLibre),
  resume: texteFacultatif(LONGUEURS.texteLibre),
  themes: Type.Optional(
    nullable(Type.Array(Type.String({ maxLength: LONGUEURS.nom }), { maxItems: 100 })),
  ),
  articles: Type.Optional(
    nullable(Type.Array(Type.String({ maxLength: LONGUEURS.titre }), { maxItems: 200 })),
  ),
});
export type NumeroSaisi = Static<typeof NumeroSaisi>;

/** A word of the household's reusable vocabulary. */
export const Theme = Type.Object({ id: Id, nom: texte(LONGUEURS.nom) });
export type Theme = Static<typeof Theme>;

export const CriteresNumeros = Type.Object({
  recherche: Type.Optional(Type.String({ maxLength: LONGUEURS.titre })),
  theme: Type.Optional(Type.String({ maxLength: LONGUEURS.nom })),
});
export type CriteresNumeros = Static<typeof CriteresNumeros>;

export const chercherNumeros = endpoint({
  method: 'GET',
  path: '/api/numeros',
  summary: 'Les numéros qui répondent à la recherche, le plus récent d’abord.',
  query: CriteresNumeros,
  response: Type.Array(Numero),
});

export const listerNumerosDeLaRevue = endpoint({
  method: 'GET',
  path: '/api/revues/:id/numeros',
  summary: 'Les numéros d’une revue, le plus récent d’abord.',
  params: ParId,
  response: Type.Array(Numero),
});

export const ajouterNumero = endpoint({
  method: 'POST',
  path: '/api/revues/:id/numeros',
  summary: 'Ajoute un numéro à une revue.',
  params: ParId,
  body: NumeroSaisi,
  response: Numero,
  status: 201,
});

export const lireNumero = endpoint({
  method: 'GET',
  path: '/api/numeros/:id',
  summary: 'Un numéro.',
  params: ParId,
  response: Numero,
});

export const modifierNumero = endpoint({
  method: 'PUT',
  path: '/api/numeros/:id',
  summary: 'Récrit un numéro.',
  params: ParId,
  body: NumeroSaisi,
  response: Numero,
});

export const supprimerNumero = endpoint({
  method: 'DELETE',
  path: '/api/numeros/:id',
  summary: 'Supprime un numéro.',
  params: ParId,
  status: 204,
});

export const listerThemes = endpoint({
  method: 'GET',
  path: '/api/themes',
  summary: 'Les thèmes, par nom.',
  response: Type.Array(Theme),
});
