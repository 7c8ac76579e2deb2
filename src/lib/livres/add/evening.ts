import type { SpineVolume } from '$lib/couvertures/jacket/spines';
import { isCodeTitled, livresView } from '$lib/records/livres/view.svelte';
import type { ScannedLine } from './scanned.svelte.ts';

/** A book of the evening on its shelf, by the id of its line. */
interface EveningVolume extends SpineVolume {
  readonly id: string;
  /** Its title is not known yet. */
  readonly isWaiting: boolean;
}

/** What came into the house of what was scanned, or is about to, in the order of its coming. */
export function volumesOf(lines: readonly ScannedLine[]): readonly EveningVolume[] {
  return lines.toReversed().flatMap((line): readonly EveningVolume[] => {
    const { id, state } = line;
    if (state.kind === 'owned' || state.kind === 'removed' || state.kind === 'revue') return [];
    const livre = state.kind === 'added' ? livresView.get(state.livre.id) : undefined;
    if (livre !== undefined) return [{ ...livre, id, isWaiting: isCodeTitled(livre) }];
    // What was deleted elsewhere is there no more; what was just added comes with the copy.
    const titre = state.kind === 'added' ? state.livre.titre : line.code;
    const auteurs = state.kind === 'added' ? state.livre.auteurs : [];
    const blank = { nombrePages: null, typeDocument: 'NonPrecise' } as const;
    return [{ ...blank, id, titre, auteurs, isWaiting: state.kind !== 'added' }];
  });
}
