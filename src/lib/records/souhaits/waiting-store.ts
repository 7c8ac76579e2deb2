import { unsafeCast } from '$lib/api/unsafe-cast';
import { attempt, entryPrefix } from '$lib/sync/this-device';
import type { RevueSouhaiteeSaisie } from '#shared/souhaits-revues';
import type { SouhaitSaisi } from '#shared/souhaits';

export type WaitingWish = {
  /** The idempotency key of every attempt to send the wish. */
  readonly key: string;
  readonly date: number;
  /** The household that it was noted for; of earlier versions none, or where that was not known. */
  readonly bibliotheque?: string;
} & (
  | { readonly kind: 'livre'; readonly saisie: SouhaitSaisi }
  | { readonly kind: 'revue'; readonly saisie: RevueSouhaiteeSaisie }
);

/** One storage entry per wish, so that tabs do not overwrite each other's. */
const prefixOf = (reader: string): string => entryPrefix('wish', reader);

/** The wishes noted on this device and not sent yet, the oldest first. */
export function readWaiting(reader: string): WaitingWish[] {
  const prefix = prefixOf(reader);
  const all = attempt('reading what waits', () =>
    Object.keys(localStorage)
      .filter((name) => name.startsWith(prefix))
      .flatMap((name) => localStorage.getItem(name) ?? [])
      .flatMap((text) => attempt('reading a wish', () => parse(text)) ?? []),
  );
  return (all ?? []).sort((a, b) => a.date - b.date);
}

const parse = (text: string): WaitingWish => unsafeCast<WaitingWish>(JSON.parse(text));

export const keepWaiting = (reader: string, wish: WaitingWish): boolean =>
  attempt('keeping a wish', () => {
    localStorage.setItem(prefixOf(reader) + wish.key, JSON.stringify(wish));
    return true;
  }) ?? false;

export function forgetWaiting(reader: string, key: string): void {
  attempt('forgetting a wish', () => localStorage.removeItem(prefixOf(reader) + key));
}
