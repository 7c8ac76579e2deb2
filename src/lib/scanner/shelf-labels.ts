import { m } from '$lib/paraglide/messages';
import type { LivreSummary, ShelfLine } from '$lib/recherche/shelf.svelte';
import { silenceSentence } from '$lib/format/sources';

interface ShelfLabels {
  readonly titre: string;
  /** The second line of text. */
  readonly details: string;
  /** The title that the substitute of the cover is drawn from. */
  readonly coverTitre: string;
  /** What has become of the code, in a word or two. */
  readonly status: string;
}

/** The texts of a line of the shelf. */
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
        titre: state.candidat.titre,
        details: m.code_similaire({ titre: state.livre.titre }),
        status: '',
      };
    case 'silent':
      return { titre: displayedCode, details: silenceSentence(state.silentSources), status: '' };
    case 'revue':
      return {
        titre: state.titre ?? displayedCode,
        details: m.revue_issn({ issn: state.issn }),
        status: m.code_revue(),
      };
    case 'failed':
      return { titre: displayedCode, details: state.message, status: '' };
  }
}

/** « Annie Ernaux, Gallimard, 2008 » */
const editionOf = ({ auteurs, editeur, annee }: LivreSummary): string =>
  [...auteurs.map(({ nom }) => nom), editeur, annee].filter((text) => text !== null).join(', ');
