import { Type, type Static } from 'typebox';
import { textOf, type ChangeReader } from './change-reader.ts';
import { Detail } from './details.ts';
import type { Message } from './history.ts';
import { endpoint } from './endpoint.ts';
import { Id, MAX_LENGTHS, nullable, optionalText, text } from './fields.ts';
import { Format, Livre, TypeDocument } from './livres.ts';
import { objectKeys } from './object-keys.ts';
import { pretDates, PretEcrit } from './prets.ts';
import { jour, StatutOrNull, statutMarque } from './statuts.ts';

/**
 * The actions on many books at once, with the required field of each (docs/rules.md § 40). `serie`, a title that is
 * created if unknown, may replace `serieId`.
 */
export const LOT_FIELDS = {
  statut: 'statut',
  format: 'format',
  typeDocument: 'typeDocument',
  preter: 'emprunteur',
  rendre: null,
  serie: 'serieId',
  emplacement: 'emplacementId',
  ajouterTheme: 'theme',
  retirerTheme: 'theme',
  detail: 'valeur',
  liste: 'selection',
  supprimer: null,
} as const;

export const MAX_LOT = 1000;

/** Books with an action; fields of other actions are ignored. */
export const Lot = Type.Object({
  ids: Type.Array(Id, { minItems: 1, maxItems: MAX_LOT }),
  action: Type.Enum([...objectKeys(LOT_FIELDS)], { type: 'string' }),
  statut: Type.Optional(StatutOrNull),
  jour,
  /** With « Lu », when the books were read: a day, a month, a year, or `null` for no date; by default `jour`. */
  fin: optionalText(10),
  format: Type.Optional(Format),
  typeDocument: Type.Optional(TypeDocument),
  emprunteur: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_LENGTHS.nom })),
  ...pretDates,
  /** With `rendre` the loans to close: a book that was lent again meanwhile stays lent. */
  prets: Type.Optional(Type.Array(Id, { maxItems: MAX_LOT })),
  serieId: Type.Optional(Id),
  serie: Type.Optional(Type.Object({ titre: text(MAX_LENGTHS.titre) })),
  emplacementId: Type.Optional(nullable(Id)),
  theme: Type.Optional(text(MAX_LENGTHS.nom)),
  nom: Type.Optional(Detail.properties.nom),
  /** The value of the detail `nom`; `null` removes it. */
  valeur: Type.Optional(nullable(Detail.properties.valeur)),
  /** The list that the books are added to. */
  selection: Type.Optional(Id),
});
export type Lot = Static<typeof Lot>;

function rangesMessage(changes: ChangeReader, emplacementId: unknown, count: number): Message {
  const livres = countOf(changes, count);
  const emplacement = changes.nameOf('emplacements', emplacementId);
  return emplacement === ''
    ? { fait: 'livresSansEmplacement', ...livres }
    : { fait: 'livresRanges', ...livres, emplacement };
}

/** Unchanged books are counted apart, so that the numbers add up to the selection. */
function countOf({ answer: { livres: asked } }: ChangeReader, livres: number) {
  const inchanges = Array.isArray(asked) ? asked.length - livres : 0;
  return inchanges > 0 ? { livres, inchanges } : { livres };
}

function describeLot(changes: ChangeReader): Message {
  const livres = changes.rows('Livre');
  const prets = changes.rows('Pret');
  const places = changes.rows('Place');
  const enListe = changes.rows('SelectionLivre');
  const lus = Math.max(changes.rows('Statut').length, changes.rows('Lecture').length);
  if (livres.some(({ apres }) => apres === null))
    return { fait: 'livresSupprimes', livres: livres.length };
  if (prets.some(({ avant }) => avant === null))
    return {
      fait: 'livresPretes',
      livres: prets.length,
      emprunteur: textOf(changes.value('Pret', 'emprunteur')),
    };
  if (prets.length > 0) return { fait: 'livresRendus', livres: prets.length };
  if (places.length > 0) {
    const placed = places.filter(({ apres }) => apres?.['livreId']);
    return {
      fait: 'livresPlaces',
      ...countOf(changes, placed.length),
      serie: changes.name('series'),
    };
  }
  if (enListe.length > 0 && livres.length === 0)
    return {
      fait: 'livresEnListe',
      ...countOf(changes, enListe.filter(({ avant }) => avant === null).length),
      liste: changes.name('selections'),
    };
  if (lus > 0)
    return { fait: 'statutsMarques', ...countOf(changes, lus), statut: statutMarque(changes) };
  const [theme] = changes.rows('LivreTheme');
  if (theme) {
    return {
      fait: theme.apres === null ? 'themeRetire' : 'themeAjoute',
      ...countOf(changes, changes.rows('LivreTheme').length),
      theme: textOf(changes.answer['theme']),
    };
  }
  const detail = textOf(changes.answer['nom']);
  if (detail !== '')
    return {
      fait: changes.answer['valeur'] === null ? 'detailRetire' : 'detailNote',
      ...countOf(changes, livres.length),
      detail,
    };
  const [first] = livres;
  if (first !== undefined && first.apres?.['emplacementId'] !== first.avant?.['emplacementId'])
    return rangesMessage(changes, first.apres?.['emplacementId'], livres.length);
  return { fait: 'livresModifies', ...countOf(changes, livres.length) };
}

/** Loans and series belong to the household, for many books as for one. */
const actsAsHousehold = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  'action' in body &&
  (body.action === 'preter' || body.action === 'rendre' || body.action === 'serie');

export const traiterLot = endpoint({
  method: 'POST',
  path: '/api/livres/lot',
  modification: { operation: 'lot', message: describeLot },
  actsAsHousehold,
  summary: 'Fait une même chose de plusieurs livres, de tous ou d’aucun.',
  body: Lot,
  response: Type.Object({
    livres: Type.Array(Livre),
    theme: Lot.properties.theme,
    nom: Lot.properties.nom,
    valeur: Lot.properties.valeur,
    emprunteurSaisi: PretEcrit.properties.emprunteurSaisi,
  }),
});
