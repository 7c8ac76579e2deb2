import { avancerCouvertures, MAX_BATCH } from '#shared/couvertures';
import { call } from '$lib/api/call';
import { connection } from '$lib/sync/connection.svelte';
import { perIdentity } from '$lib/sync/identity.svelte';
import { report } from '$lib/sync/report';

export interface CoverRecord {
  readonly kind: 'livres' | 'numeros' | 'souhaits';
  readonly id: number;
}

/** The record of a cover, where the server may fetch a picture from the record's address. */
export const coverRecord = (
  kind: CoverRecord['kind'],
  { id, coverUrl }: { readonly id: number; readonly coverUrl: string | null },
): CoverRecord | undefined => (coverUrl === null ? undefined : { kind, id });

/** How long a record has to be on the screen before its cover is requested. */
const PAUSE_MS = 1_000;

/** Covers that the server should fetch first: each is requested once, unless that fails. */
class CoversOnScreen {
  readonly #waiting = new Map<string, CoverRecord>();
  readonly #asked = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  add(record: CoverRecord): () => void {
    const key = `${record.kind}/${record.id}`;
    if (this.#asked.has(key)) return () => undefined;
    this.#waiting.set(key, record);
    if (this.#timer === undefined) this.#timer = setTimeout(() => void this.#ask(), PAUSE_MS);
    return () => void this.#waiting.delete(key);
  }

  async #ask(): Promise<void> {
    this.#timer = undefined;
    const named = [...this.#waiting].slice(0, MAX_BATCH);
    if (covers() !== this || named.length === 0) return;
    const keys = named.map(([key]) => key);
    for (const key of keys) {
      this.#waiting.delete(key);
      this.#asked.add(key);
    }
    const idsOf = (kind: CoverRecord['kind']) =>
      named.flatMap(([, record]) => (record.kind === kind ? [record.id] : []));
    const body = {
      livres: idsOf('livres'),
      numeros: idsOf('numeros'),
      souhaits: idsOf('souhaits'),
    };
    try {
      await call(avancerCouvertures, { body });
    } catch (error) {
      for (const key of keys) this.#asked.delete(key);
      report(error, 'bringing covers forward');
    }
  }
}

const covers = perIdentity(() => new CoversOnScreen());

/**
 * Asks the server to fetch the cover of a visible record first (docs/rules.md § 43), once it is reachable, and again
 * when it returns: call within an effect. Call the returned function when the record leaves the screen.
 */
export const bringForward = (record: CoverRecord): (() => void) =>
  connection.state === 'online' ? covers().add(record) : () => undefined;
