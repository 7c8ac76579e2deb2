import { autresCouvertures, couverturesChoisies } from '#shared/couvertures-choisies';
import type { AutreCouverture } from '#shared/couvertures';
import { call } from '$lib/api/call';
import type { Batch } from '$lib/api/feedback.svelte';
import { write } from '$lib/api/write.svelte';

/** How long sending a picture may take, in milliseconds. */
const SEND_TIMEOUT_MS = 120_000;

/** How long asking all sources, one after the other, may take, in milliseconds. */
const OTHERS_TIMEOUT_MS = 60_000;

/** A record whose cover a person may choose. */
export interface ChosenRecord {
  readonly kind: keyof typeof couverturesChoisies;
  readonly id: number;
}

/** The operations on the cover of one record (docs/rules.md § 43). */
export interface CoverOperations {
  /**
   * Makes a picture the cover.
   *
   * @param unsent gives the write up while nothing of it is done
   * @throws the refusals `IMAGE_INVALIDE` and `CORPS_TROP_GRAND`
   */
  choisir(image: Blob, batch?: Batch, unsent?: AbortSignal): Promise<unknown>;
  /** Goes back to the cover of the address. */
  remettre(): Promise<unknown>;
  /** The other covers that the sources have. */
  readonly autres: {
    lister(signal: AbortSignal): Promise<readonly AutreCouverture[]>;
    choisir(cle: string, unsent: AbortSignal): Promise<unknown>;
  };
}

export function coverOperations({ kind, id }: ChosenRecord): CoverOperations {
  const params = { id };
  const sent = (bytes: Blob) => ({ params, bytes, timeoutMs: SEND_TIMEOUT_MS });
  const asked = (signal: AbortSignal) => ({ params, signal, timeoutMs: OTHERS_TIMEOUT_MS });
  const chosen = couverturesChoisies[kind];
  const offered = autresCouvertures[kind];
  return {
    choisir: (image, batch, unsent) => write(chosen.choisir, { ...sent(image), unsent }, { batch }),
    remettre: () => write(chosen.remettre, { params }),
    autres: {
      lister: (signal) => call(offered.lister, asked(signal)),
      choisir: (cle, unsent) => write(offered.choisir, { params, body: { cle }, unsent }),
    },
  };
}
