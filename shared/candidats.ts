import type { Detail } from './details.ts';
import type { Candidat, SourceName } from './recherche.ts';
import { searchForm } from './text.ts';

/** A detail known to a catalogue. */
export interface OfferedDetail extends Detail {
  readonly source: SourceName;
}

/** An edition known to one or several catalogues. */
export interface Edition extends Candidat {
  /** The catalogues with this edition, in the order of the question. */
  readonly sources: readonly SourceName[];
  /** Further details, each name once; added only if a person chooses them. */
  readonly offered: readonly OfferedDetail[];
}

const IDENTITY = ['titre', 'editeur', 'annee'] as const;

/**
 * Groups the catalogues' records of one ISBN into editions, in their order. Records with the same normalised title,
 * publisher and year are one edition, which takes missing fields from the later records (docs/rules.md § 22).
 */
export function mergeCandidats(candidats: readonly Candidat[]): Edition[] {
  const editions: Edition[] = [];
  for (const candidat of candidats) {
    const index = editions.findIndex((edition) => isSameEdition(edition, candidat));
    const edition = editions[index];
    if (edition === undefined) editions.push(editionOf(candidat));
    else editions[index] = completed(edition, candidat);
  }
  return editions;
}

/** An edition of a single record. */
export const editionOf = (candidat: Candidat): Edition => ({
  ...candidat,
  sources: [candidat.source],
  offered: offeredBy(candidat),
});

const offeredBy = ({ source, details = [] }: Candidat): OfferedDetail[] =>
  details.map((detail) => ({ ...detail, source }));

/** The fields in which editions differ, missing values included. */
export const differingFields = (
  editions: readonly Candidat[],
): readonly (typeof IDENTITY)[number][] =>
  IDENTITY.filter(
    (field) => new Set(editions.map((edition) => comparedValue(edition, field))).size > 1,
  );

const isSameEdition = (one: Candidat, other: Candidat): boolean =>
  IDENTITY.every((field) => {
    const [a, b] = [comparedValue(one, field), comparedValue(other, field)];
    return a === b || a === '' || b === '';
  });

const comparedValue = (candidat: Candidat, field: (typeof IDENTITY)[number]): string =>
  searchForm(String(candidat[field] ?? ''));

const completed = (edition: Edition, candidat: Candidat): Edition => ({
  ...edition,
  auteurs: edition.auteurs.length > 0 ? edition.auteurs : candidat.auteurs,
  editeur: edition.editeur ?? candidat.editeur,
  annee: edition.annee ?? candidat.annee,
  nombrePages: edition.nombrePages ?? candidat.nombrePages,
  coverUrl: edition.coverUrl ?? candidat.coverUrl,
  ...(edition.typeDocument === undefined && candidat.typeDocument !== undefined
    ? { typeDocument: candidat.typeDocument }
    : {}),
  sources: [...new Set([...edition.sources, candidat.source])],
  offered: [
    ...edition.offered,
    ...offeredBy(candidat).filter(({ nom }) => edition.offered.every((one) => one.nom !== nom)),
  ],
});
