import { formatShortDay } from '$lib/format/dates';
import { m } from '$lib/paraglide/messages';
import type { EmprunteurPrets } from '$lib/records/prets/view.svelte';

/** A message that asks one person for what that person has borrowed, ready to be sent. */
export function rappelText({ nom: emprunteur, prets }: EmprunteurPrets, now: Date): string {
  const livres = prets.map(({ livre: { titre }, datePret }) => ({
    titre,
    date: formatShortDay(new Date(datePret), now),
  }));
  const [first] = livres;
  if (first !== undefined && livres.length === 1) return m.rappel_one({ emprunteur, ...first });
  return [
    m.rappel_several({ emprunteur }),
    ...livres.map((livre) => m.rappel_livre(livre)),
    m.rappel_thanks(),
  ].join('\n');
}

/** Addresses at which a phone or a computer has the message ready in a program of its own. */
export const rappelAddresses = (text: string, subject: string): { sms: string; mail: string } => ({
  // iOS wants « & », Android « ? »; each passes over the other.
  sms: `sms:?&body=${encodeURIComponent(text)}`,
  mail: `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(text)}`,
});
