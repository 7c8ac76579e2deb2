import { m } from '$lib/paraglide/messages';
import { emplacementsView } from '$lib/records/emplacements/view.svelte';
import { formatLabels, livresView } from '$lib/records/livres/view.svelte';
import type { LivreDocument } from '#shared/livres';

/** The location or borrower of a copy: « Chambre », « Salon › Étagère 3, prêté à Luc ». */
export function whereabouts(livre: LivreDocument): string {
  const pret = livresView.openPret(livre.id);
  const parts = [
    emplacementsView.pathText(livre.emplacementId),
    livre.format === 'Numerique' ? formatLabels[livre.format]() : '',
    livre.emprunteA === null ? '' : m.emprunte_a(livre.emprunteA),
    pret === null ? '' : m.pret_lent_to(pret),
  ].filter((part) => part !== '');
  return parts.length === 0 ? m.exemplaire_sans_place() : parts.join(', ');
}
