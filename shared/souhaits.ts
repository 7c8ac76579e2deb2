import { Type, type Static } from 'typebox';
import { couvertureOrNull } from './couvertures.ts';
import { endpoint, onRecord } from './endpoint.ts';
import {
  CoverUrl,
  Id,
  Instant,
  Isbn,
  MAX_LENGTHS,
  nullable,
  optionalText,
  Rang,
  text,
} from './fields.ts';
import {
  ConfirmerDoublonBody,
  ConfirmerDoublonQuery,
  FORMATS,
  Livre,
  livreAjoute,
  LivreSaisi,
  type Format,
} from './livres.ts';
import { cleRegroupement, firstCharacters, partsOf, titreKey } from './text.ts';

/** A book that someone wants, on a list of their own (docs/rules.md § 17). */
export const Souhait = Type.Object({
  id: Id,
  titre: text(MAX_LENGTHS.titre),
  auteur: nullable(Type.String({ maxLength: MAX_LENGTHS.nom })),
  isbn: nullable(Isbn),
  isbnAffiche: nullable(Type.String({ maxLength: 17 })),
  /** The stored cover, else Open Library's possible cover for the ISBN. */
  coverUrl: nullable(CoverUrl),
  couverture: couvertureOrNull,
  rang: Rang,
  dateAjout: Instant,
});
export type Souhait = Static<typeof Souhait>;

export const SouhaitSaisi = Type.Object({
  titre: text(MAX_LENGTHS.titre),
  auteur: optionalText(MAX_LENGTHS.nom),
  isbn: optionalText(MAX_LENGTHS.code),
  coverUrl: optionalText(MAX_LENGTHS.url),
});
export type SouhaitSaisi = Static<typeof SouhaitSaisi>;

/**
 * The keys of a wished book: its work and its author's grouping key, so that « Sinno, Neige » equals « Neige Sinno »;
 * no author counts as one (docs/rules.md § 17).
 */
export const souhaitKeys = ({ titre, auteur }: Pick<SouhaitSaisi, 'titre' | 'auteur'>) => ({
  cleOeuvre: titreKey(titre),
  auteurNormalise: cleRegroupement(auteur ?? ''),
});

/** The keys as one text, for a map. */
export function souhaitKey(souhait: Pick<SouhaitSaisi, 'titre' | 'auteur'>): string {
  const { cleOeuvre, auteurNormalise } = souhaitKeys(souhait);
  return `${cleOeuvre}\n${auteurNormalise}`;
}

export const splitAuteurs = (auteur: string | null): string[] => partsOf(auteur ?? '', ';');

/** The authors as a list names them, « Goscinny, Uderzo »; `null` for none. */
export const listAuteurs = (auteur: string | null): string | null =>
  splitAuteurs(auteur).join(', ') || null;

/** Names as one author text, truncated to the limit; `null` for none. */
export const joinAuteurs = (noms: readonly string[]): string | null =>
  firstCharacters(noms.join(' ; '), MAX_LENGTHS.nom).trim() || null;

/** All ids of the caller's list, each once, in their new order. */
export const OrdreSaisi = Type.Object({ ids: Type.Array(Id, { maxItems: 10_000 }) });

export const listerSouhaits = endpoint({
  method: 'GET',
  path: '/api/souhaits',
  summary: 'La liste de souhaits de la personne qui appelle, par rang.',
  response: Type.Array(Souhait),
});

/** An added wish, with the oldest matching book of the household. */
const SouhaitAjoute = Type.Object({ ...Souhait.properties, livreId: Type.Optional(Id) });

export const ajouterSouhait = endpoint({
  method: 'POST',
  path: '/api/souhaits',
  record: { collection: 'souhaits' },
  modification: { operation: 'ajouterSouhait', message: 'souhaitAjoute' },
  summary:
    'Ajoute un livre à la fin de la liste de souhaits ; livreId est celui que la bibliothèque a déjà.',
  body: SouhaitSaisi,
  response: SouhaitAjoute,
  status: 201,
});

export const modifierSouhait = endpoint({
  ...onRecord('souhaits'),
  method: 'PUT',
  modification: { operation: 'modifierSouhait', message: 'souhaitModifie' },
  summary: 'Récrit un souhait ; le rang reste, et la couverture aussi si aucune n’est donnée.',
  body: SouhaitSaisi,
  response: Souhait,
});

export const supprimerSouhait = endpoint({
  ...onRecord('souhaits'),
  method: 'DELETE',
  modification: { operation: 'supprimerSouhait', message: 'souhaitRetire' },
  summary: 'Retire un livre de la liste de souhaits.',
});

/** A purchased book: defaults come from the wish; printed by default. */
export const SouhaitAchat = Type.Object({
  ...LivreSaisi.properties,
  ...ConfirmerDoublonBody.properties,
  titre: optionalText(MAX_LENGTHS.titre),
  format: Type.Optional(Type.Unsafe<Format | null>({ enum: [...FORMATS, null] })),
});
export type SouhaitAchat = Static<typeof SouhaitAchat>;

export const acheterSouhait = endpoint({
  method: 'POST',
  path: '/api/souhaits/:id/achat',
  record: { collection: 'livres' },
  // Recorded as an addition: only its owner may know that there was a wish (docs/rules.md § 39).
  modification: livreAjoute,
  summary: 'Fait d’un souhait un livre de la bibliothèque ; le souhait quitte la liste.',
  query: ConfirmerDoublonQuery,
  body: SouhaitAchat,
  response: Livre,
  status: 201,
});

export const ordonnerSouhaits = endpoint({
  method: 'PUT',
  path: '/api/souhaits/ordre',
  modification: { operation: 'ordonnerSouhaits', message: 'souhaitsRanges' },
  summary: 'Range la liste de souhaits dans un nouvel ordre.',
  body: OrdreSaisi,
  response: Type.Array(Souhait),
});

export const exporterSouhaitsText = endpoint({
  method: 'GET',
  path: '/api/souhaits/export.txt',
  summary: 'Les deux listes de souhaits en texte, par auteur, pour la librairie.',
  response: Type.String(),
  type: 'text/plain',
});

export const exporterSouhaitsCsv = endpoint({
  method: 'GET',
  path: '/api/souhaits/export.csv',
  summary: 'Les deux listes de souhaits en CSV, pour un tableur.',
  response: Type.String(),
  type: 'text/csv',
});
