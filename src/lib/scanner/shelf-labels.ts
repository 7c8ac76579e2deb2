import { m } from '$lib/paraglide/messages';
import type { LivreSummary, ShelfLine } from '$lib/recherche/shelf.svelte';
import { silenceSentence } from '$lib/format/sources';
import { connection } from '$lib/sync/connection.svelte';

interface ShelfLabels {
  readonly titre: string;
  /** The second line of text. */
  readonly details: string;
  /** The title that the substitute of the cover is drawn from. */
  readonly coverTitre: string;
  /** What has become of the code, in a word or two. */
  readonly status: string;
}

/** A line in a sentence, for who hears the screen. */
export function sentenceOf(line: ShelfLine): string {
  const { titre, details, status } = shelfLabels(line);
  return [titre, status === '' ? details : status].join(', ');
}

export function shelfLabels(line: ShelfLine): ShelfLabels {
  const labels = labelsOf(line);
  const [edition] = line.state.kind === 'choice' ? line.state.candidats : [];
  return { ...labels, coverTitre: edition?.titre ?? labels.titre };
}

function labelsOf({ state, displayedCode }: ShelfLine): Omit<ShelfLabels, 'coverTitre'> {
  switch (state.kind) {
    case 'pending':
      return { titre: displayedCode, details: '', status: m.code_pending() };
    case 'unknown':
      return { titre: displayedCode, details: '', status: m.code_not_found() };
    case 'removed':
      return { titre: displayedCode, details: '', status: m.code_removed() };
    case 'added':
      return { titre: state.livre.titre, details: editionOf(state.livre), status: m.code_added() };
    case 'owned':
      return {
        titre: state.livre.titre,
        details: editionOf(state.livre),
        status: m.code_possede(),
      };
    case 'choice':
      return {
        titre: m.code_editions({ count: state.candidats.length }),
        details: displayedCode,
        status: '',
      };
    case 'similar':
      return {
        titre: state.saisie.titre,
        details: m.code_similaire({ titre: state.livre.titre }),
        status: '',
      };
    case 'silent':
      return {
        titre: displayedCode,
        details: silenceSentence(state.silentSources) || m.code_silent(),
        status: '',
      };
    case 'revue':
      return {
        titre: state.titre ?? displayedCode,
        details: m.revue_issn({ issn: state.issn }),
        status: m.code_revue(),
      };
    case 'failed':
      return {
        titre: displayedCode,
        details: state.message ?? connection.reasonNotToWrite ?? m.scan_to_ask_again(),
        status: '',
      };
    case 'begun':
      return {
        titre: state.entry.text('titre').trim() || displayedCode,
        details: state.message ?? connection.reasonNotToWrite ?? m.scan_begun(),
        status: '',
      };
  }
}

const SUM_OF: Readonly<Record<ShelfLine['state']['kind'], keyof typeof SUMS>> = {
  added: 'added',
  owned: 'owned',
  unknown: 'unknown',
  pending: 'pending',
  removed: 'removed',
  choice: 'unfinished',
  similar: 'unfinished',
  silent: 'unfinished',
  revue: 'unfinished',
  failed: 'unfinished',
  begun: 'unfinished',
};
const SUMS = {
  added: m.sum_added,
  owned: m.sum_owned,
  unknown: m.sum_unknown,
  unfinished: m.sum_unfinished,
  removed: m.sum_removed,
  pending: m.sum_pending,
};

/**
 * « 12 ajoutés, 2 déjà là, 1 introuvable »
 *
 * @param waiting how many codes have no line yet
 */
export function shelfSum(lines: readonly ShelfLine[], waiting = 0): string {
  return Object.entries(SUMS)
    .map(([kind, label]) => ({
      label,
      count:
        lines.filter(({ state }) => SUM_OF[state.kind] === kind).length +
        (kind === 'pending' ? waiting : 0),
    }))
    .filter(({ count }) => count > 0)
    .map(({ label, count }) => label({ count }))
    .join(', ');
}

/** « Annie Ernaux, Gallimard, 2008 » */
const editionOf = ({ auteurs, editeur, annee }: LivreSummary): string =>
  [...auteurs.map(({ nom }) => nom), editeur, annee].filter((text) => text !== null).join(', ');
