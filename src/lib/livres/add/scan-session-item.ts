import { m } from '$lib/paraglide/messages';
import type { SpineVolume } from '$lib/couvertures/jacket/spines';
import { isCodeTitled, livresView } from '$lib/records/livres/view.svelte';
import type { ScanItem } from '$lib/scanner/scan-list.svelte';
import type { Edition } from '#shared/candidats';
import { formatIsbn } from '#shared/isbn-format';
import type { EmpruntSaisi, LivreDocument, LivreSaisiEnSerie } from '#shared/livres';
import { objectKeys } from '#shared/object-keys';
import type { AddState } from './add-machine.ts';

export type LivreSummary = Pick<
  LivreDocument,
  'id' | 'titre' | 'auteurs' | 'editeur' | 'annee' | 'couverture'
>;

export type Texts = Readonly<Record<string, string>>;

/** The state of a code without a book of the household. */
export type UnownedState =
  /** `inForm`: the form shows the code. */
  | { readonly kind: 'pending' | 'inForm' | 'adding' | 'removed' }
  /** A form begun in version 1.0, whose address restores it. */
  | { readonly kind: 'begun'; readonly texts: Texts }
  | { readonly kind: 'choice'; readonly candidats: readonly Edition[] }
  /** Another edition of an owned work, or the same one under another code. */
  | { readonly kind: 'similar'; readonly saisie: LivreSaisiEnSerie; readonly livre: LivreSummary }
  | { readonly kind: 'revue'; readonly titre: string | null; readonly issn: string }
  /** `message` is why it is not added; `null` where nothing but the network was missing. */
  | { readonly kind: 'failed'; readonly message: string | null };

export interface Reading {
  /** The book's future location: the next shelf may begin before it is added. */
  readonly emplacement?: string | undefined;
  /** The lender of a borrowed book. */
  readonly emprunt?: EmpruntSaisi | undefined;
  /** How often the code was read, if more than once: possibly several copies. */
  readonly times?: number | undefined;
  /** Another copy that was sent and may have been added: repeated unchanged, so that it is added once. */
  readonly copy?: SentCopy | undefined;
}

export interface SentCopy {
  /** The idempotency key of every attempt. */
  readonly key: string;
  readonly saisie: LivreSaisiEnSerie;
}

export type ScanSessionState = Reading &
  (
    | UnownedState
    | { readonly kind: 'owned'; readonly livre: LivreSummary }
    /** `revision` is that of the addition. */
    | { readonly kind: 'added'; readonly livre: LivreSummary; readonly revision: number | null }
  );

/** The card's state for each state of an item. */
export const CARD_STATES: Readonly<Record<ScanSessionState['kind'], AddState>> = {
  pending: 'Looking',
  adding: 'Looking',
  inForm: 'Looking',
  choice: 'Found',
  similar: 'Found',
  owned: 'Owned',
  added: 'Added',
  begun: 'Unknown',
  revue: 'Unknown',
  failed: 'Unknown',
  removed: 'Idle',
};

export type ScanSessionItem = ScanItem<ScanSessionState>;

interface Labels {
  readonly titre: string;
  /** True where `titre` is the code itself. */
  readonly isCode: boolean;
  readonly details: string;
  /** The item's state in a word or two. */
  readonly status: string;
}

export function labelsOf(line: ScanSessionItem): Labels {
  const state = stateOf(line);
  const { code: read } = line;
  // A periodical's code has no hyphens.
  const code = read.startsWith('977') ? read : formatIsbn(read);
  const labels = (titre: string, details: string, status = ''): Labels => {
    return { titre, isCode: titre === code, details, status };
  };
  switch (state.kind) {
    case 'pending':
    case 'adding':
    case 'inForm':
      return labels(code, '', m.code_pending());
    case 'begun':
      return labels(code, '', m.code_not_found());
    case 'removed':
      return labels(code, '', m.code_removed());
    case 'added':
    case 'owned': {
      // Catalogue data and covers may have come since.
      const livre = livreOf(line);
      const { titre, auteurs, editeur, annee } = livre ?? state.livre;
      const edition = [...auteurs.map(({ nom }) => nom), editeur, annee];
      const emprunt = livre?.emprunteA;
      const here = emprunt ? m.emprunt_ici(emprunt) : m.code_possede();
      const status = state.kind === 'added' ? m.code_added() : here;
      return labels(titre, edition.filter((text) => text !== null).join(', '), status);
    }
    case 'choice':
      return labels(m.code_editions({ count: state.candidats.length }), code);
    case 'similar':
      return labels(state.saisie.titre, m.code_similaire({ titre: state.livre.titre }));
    case 'revue':
      return labels(state.titre ?? code, m.revue_issn({ issn: state.issn }), m.code_revue());
    case 'failed':
      return labels(code, state.message ?? m.scan_to_ask_again());
  }
}

/** The state of an item as it is read aloud. */
export function sentenceOf(line: ScanSessionItem): string {
  const { titre, details, status } = labelsOf(line);
  return `${titre}, ${status === '' ? details : status}`;
}

/** The text of the jacket and spine of an item without a book: for several editions, their work. */
export const jacketTitre = (line: ScanSessionItem): string =>
  (line.state.kind === 'choice' && line.state.candidats[0]?.titre) || labelsOf(line).titre;

/** The book that was added or owned already; `undefined` until the copy has the book. */
export const livreOf = ({ state }: ScanSessionItem): LivreDocument | undefined =>
  state.kind === 'added' || state.kind === 'owned' ? livresView.get(state.livre.id) : undefined;

/** How often an item's code was read, in words, if more than once. */
export const readingsOf = ({ state: { times = 1 } }: ScanSessionItem): string =>
  m.code_read_again({ count: times });

/** Whether an item's book may have another copy: an owned one, or a repeated code. */
export const mayHaveCopy = (line: ScanSessionItem): boolean =>
  (line.state.kind === 'owned' || line.state.times !== undefined) && livreOf(line) !== undefined;

/** A line's state as the copy has it: a book that was added may be deleted by now. */
export function stateOf(line: ScanSessionItem): ScanSessionState {
  const { state } = line;
  const isGone = state.kind === 'added' && state.revision !== null && livreOf(line) === undefined;
  return isGone && livresView.isReady() ? { kind: 'removed' } : state;
}

/** Groups a scan session's items by the next action; removed ones are in no group. */
export function sortLines(lines: readonly ScanSessionItem[]) {
  const ofKind = (...kinds: readonly ScanSessionState['kind'][]) =>
    lines.filter((line) => kinds.includes(stateOf(line).kind));
  const added = ofKind('added');
  return {
    added,
    /** Added by their codes alone: they have no title yet. */
    waiting: added.filter((line) => {
      const livre = livreOf(line);
      return livre !== undefined && isCodeTitled(livre);
    }),
    owned: ofKind('owned'),
    pending: ofKind('pending', 'adding'),
    unfinished: ofKind('begun', 'choice', 'similar', 'revue', 'failed'),
  };
}

const SENTENCES = {
  added: ({ count }: { count: number }) => m.soiree_count({ livres: m.count_livres({ count }) }),
  waiting: m.soiree_waiting,
  owned: m.sum_owned,
  unfinished: m.sum_unfinished,
  pending: m.sum_pending,
} as const;

/** The sum of a scan session as parts of a sentence: added books first. */
export function sumOf(lines: readonly ScanSessionItem[]) {
  const groups = sortLines(lines);
  const names = objectKeys(SENTENCES).filter((name) => groups[name].length > 0);
  return new Map(names.map((name) => [name, SENTENCES[name]({ count: groups[name].length })]));
}

interface ScanSessionVolume extends SpineVolume {
  readonly id: string;
  /** True while the title is unknown. */
  readonly isWaiting: boolean;
}

/** The scanned books that were added or are about to be, in the order of their scans. */
export function volumesOf(lines: readonly ScanSessionItem[]): readonly ScanSessionVolume[] {
  return lines.toReversed().flatMap((line): readonly ScanSessionVolume[] => {
    const { id } = line;
    const state = stateOf(line);
    if (state.kind === 'owned' || state.kind === 'removed' || state.kind === 'revue') return [];
    const isAdded = state.kind === 'added';
    const livre = livreOf(line);
    if (livre !== undefined) return [{ ...livre, id, isWaiting: isCodeTitled(livre) }];
    // A new book comes with the replica.
    const { titre, auteurs } = isAdded ? state.livre : { titre: line.code, auteurs: [] };
    const blank = { nombrePages: null, typeDocument: 'NonPrecise' } as const;
    return [{ ...blank, id, titre, auteurs, isWaiting: !isAdded }];
  });
}
