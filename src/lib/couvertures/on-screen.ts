import { avancerCouvertures, MAX_BATCH } from '#shared/couvertures';
import { call } from '$lib/api/call';
import { link } from '$lib/api/link';
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

/** How long a record stays on the screen before its cover is asked for. */
const PAUSE_MS = 1_000;

const onScreen = new Map<string, CoverRecord>();
const asked = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Has the server fetch the cover of a record on the screen before all others (docs/rules.md § 43). Call the returned
 * function when the record leaves the screen.
 */
export function bringForward(record: CoverRecord): () => void {
  const key = `${record.kind}/${record.id}`;
  if (asked.has(key)) return () => undefined;
  onScreen.set(key, record);
  timer ??= setTimeout(ask, PAUSE_MS);
  return () => void onScreen.delete(key);
}

function ask(): void {
  timer = undefined;
  if (link.state !== 'online') return;
  const named = [...onScreen].slice(0, MAX_BATCH);
  if (named.length === 0) return;
  for (const [key] of named) {
    onScreen.delete(key);
    asked.add(key);
  }
  const idsOf = (kind: CoverRecord['kind']) =>
    named.flatMap(([, record]) => (record.kind === kind ? [record.id] : []));
  const body = {
    livres: idsOf('livres'),
    numeros: idsOf('numeros'),
    souhaits: idsOf('souhaits'),
  };
  call(avancerCouvertures, { body }).catch((error: unknown) =>
    report(error, 'bringing covers forward'),
  );
}
