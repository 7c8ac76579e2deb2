import { formatDay } from '$lib/format/dates';
import { auteursLine } from '$lib/records/livres/labels';
import { m } from '$lib/paraglide/messages';
import type { EmprunteurPrets } from '$lib/records/prets/view.svelte';

/** What one person has borrowed, as a text to be sent to that person; one book a line. */
export function claimText({ nom, prets }: EmprunteurPrets): string {
  const lines = prets.map(({ livre, datePret }) => {
    const auteurs = auteursLine(livre.auteurs);
    const date = formatDay(new Date(datePret));
    return auteurs === ''
      ? m.claim_livre_anonymous({ titre: livre.titre, date })
      : m.claim_livre({ titre: livre.titre, auteurs, date });
  });
  return [m.claim_heading({ count: prets.length, emprunteur: nom }), ...lines].join('\n');
}
