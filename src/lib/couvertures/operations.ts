import { autresCouvertures, couverturesChoisies } from '#shared/couvertures-choisies';
import type { AutreCouverture } from '#shared/couvertures';
import { call } from '$lib/api/call';
import type { Batch } from '$lib/api/feedback.svelte';
import { write } from '$lib/api/write.svelte';

/** A picture on a slow line. */
const SEND_TIMEOUT_MS = 120_000;

/** The sources are queried one after another. */
const OTHERS_TIMEOUT_MS = 60_000;

/** A record whose cover can be chosen (docs/rules.md § 43). */
export interface ChosenRecord {
  readonly kind: keyof typeof couverturesChoisies;
  readonly id: number;
}

/** Makes a picture the cover. Throws the refusals `IMAGE_INVALIDE` and `CORPS_TROP_GRAND`. */
export const choisirCouverture = (
  { kind, id }: ChosenRecord,
  bytes: Blob,
  { batch, ...options }: { batch?: Batch; givenUp?: AbortSignal; household?: string | undefined },
): Promise<unknown> =>
  write(
    couverturesChoisies[kind].choisir,
    { params: { id }, bytes, timeoutMs: SEND_TIMEOUT_MS, ...options },
    { batch },
  );

/** Goes back to the cover that the address of the record has. */
export const remettreCouverture = ({ kind, id }: ChosenRecord): Promise<unknown> =>
  write(couverturesChoisies[kind].remettre, { params: { id } });

export const listerAutres = (
  { kind, id }: ChosenRecord,
  signal: AbortSignal,
): Promise<readonly AutreCouverture[]> =>
  call(autresCouvertures[kind].lister, { params: { id }, signal, timeoutMs: OTHERS_TIMEOUT_MS });

export const choisirAutre = (
  { kind, id }: ChosenRecord,
  cle: string,
  givenUp: AbortSignal,
): Promise<unknown> =>
  write(autresCouvertures[kind].choisir, { params: { id }, body: { cle }, givenUp });
