import { m } from '$lib/paraglide/messages.js';
import { views } from '$lib/sync/views.svelte';
import type { PresentValues } from '#shared/catalogue';
import { parseIsbn } from '#shared/isbn';
import type {
  Criteres,
  Format,
  LivreDocument,
  OpenPret,
  Order,
  TypeDocument,
} from '#shared/livres';
import type { Serie } from '#shared/series';
import { isPersonalTri } from '#shared/sort';
import { STATUTS, type Statut, type StatutOrNull } from '#shared/statuts';
import { compareText } from '#shared/text';
import { lecturesView } from '../lectures/view.svelte.ts';
import { imported } from './imported.svelte.ts';

/** Reads memory only: no network and no IndexedDB. */
export const livresView = {
  isReady: (): boolean => views().isReady,
  /** `null` except during a first replica. */
  progress: (): { readonly received: number } | null => views().progress,
  count: (): number => views().catalogue.size,
  presentValues: (): PresentValues => views().catalogue.presentValues,
  /** By title by default (docs/rules.md § 6). */
  search(criteres: Criteres & Order): readonly LivreDocument[] {
    const { catalogue, statuts } = views();
    const lus = isPersonalTri(criteres.tri ?? 'titre') ? lecturesView.lus() : undefined;
    const importes = imported.livres(criteres.importation);
    return catalogue.search({ ...criteres, importes }, statuts, lus);
  },
  /** By title; sorted separately, since a start would wait for the order of all books. */
  enCours(): readonly LivreDocument[] {
    const { catalogue, statuts } = views();
    return [...statuts]
      .flatMap(([id, statut]) => (statut === STATUTS.enCours && catalogue.livre(id)) || [])
      .sort((a, b) => compareText(a.titreNormalise, b.titreNormalise) || a.id - b.id);
  },
  newest: (count: number): readonly LivreDocument[] => views().catalogue.newest(count),
  get: (id: number): LivreDocument | undefined => views().catalogue.livre(id),
  /** The copies with this ISBN (13 digits, no hyphens), by title. */
  byIsbn: (isbn13: string): readonly LivreDocument[] => views().catalogue.livresByIsbn(isbn13),
  /** The series that heads a book in the order by series. */
  serieOf: (livreId: number): Serie | null => views().catalogue.serieOf(livreId),
  openPret: (livreId: number): OpenPret | null => views().catalogue.openPret(livreId),
  /** The reader's own status; `null` is « not started ». */
  statut: (livreId: number): Statut | null => views().statuts.get(livreId) ?? null,
};

/** The lent books among these, which are not at their location. */
export const lentAmong = (livres: readonly LivreDocument[]): ReadonlySet<number> =>
  new Set(livres.flatMap(({ id }) => (livresView.openPret(id) === null ? [] : id)));

export const formatLabels: Readonly<Record<Format, () => string>> = {
  Physique: m.format_papier,
  Numerique: m.format_numerique,
};

export const typeDocumentLabels: Readonly<Record<TypeDocument, () => string>> = {
  NonPrecise: m.type_non_precise,
  Roman: m.type_roman,
  BandeDessinee: m.type_bande_dessinee,
};

export const statutLabels: Readonly<Record<Statut, () => string>> = {
  0: m.statut_a_lire,
  1: m.statut_en_cours,
  2: m.statut_lu,
};

export const statutLabel = (statut: StatutOrNull): string =>
  statut === null ? m.statut_aucun() : statutLabels[statut]();

/** How many authors are named if there are at least two more. */
const NAMED_AUTEURS = 3;

export const namedAuteurs = (count: number): number =>
  count > NAMED_AUTEURS + 1 ? NAMED_AUTEURS : count;

export function auteursLine(auteurs: readonly { readonly nom: string }[]): string {
  const named = namedAuteurs(auteurs.length);
  const noms = auteurs.slice(0, named).map(({ nom }) => nom);
  const others = auteurs.length - named;
  return `${noms.join(', ')}${others > 0 ? ` ${m.and_others({ count: others })}` : ''}`;
}

/** True for a book without a known title: it bears its code (docs/rules.md § 44). */
export const isCodeTitled = ({ titre, isbn }: LivreDocument): boolean =>
  isbn !== null && parseIsbn(titre) === isbn;

export const codeTitled = (): readonly LivreDocument[] =>
  livresView.search({}).filter(isCodeTitled);
