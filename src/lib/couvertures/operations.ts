import * as choisies from '#shared/couvertures-choisies';
import {
  lireEtatCouvertures,
  reessayerCouvertures,
  type AutreCouverture,
  type EtatCouvertures,
} from '#shared/couvertures';
import { call } from '$lib/api/call';
import { m } from '$lib/paraglide/messages';
import { write } from '$lib/sync/write';
import type { CoverRecord } from './on-screen.ts';

/** How long sending a picture may take, in milliseconds. */
const SEND_TIMEOUT_MS = 120_000;

/** How long asking all sources, one after the other, may take, in milliseconds. */
const OTHERS_TIMEOUT_MS = 60_000;

/** How far the server is with the household's covers. */
export const lireEtat = (): Promise<EtatCouvertures> => call(lireEtatCouvertures, {});

/** Has the server ask its sources again for missing covers. */
export const reessayer = (): Promise<EtatCouvertures> => call(reessayerCouvertures, {});

/** The operations on the cover of one record (docs/rules.md § 43). */
export interface CoverOperations {
  /**
   * Makes a picture the cover.
   *
   * @throws the refusals `IMAGE_INVALIDE` and `CORPS_TROP_GRAND`
   */
  choisir(image: Blob): Promise<unknown>;
  /** Goes back to the cover of the address. */
  remettre(): Promise<unknown>;
  /** The other covers that the sources have; `null` for a record that no source knows. */
  readonly autres: {
    lister(signal: AbortSignal): Promise<readonly AutreCouverture[]>;
    choisir(cle: string): Promise<unknown>;
  } | null;
}

/** @param titre names the record in the sentences */
export function coverOperations({ kind, id }: CoverRecord, titre: string): CoverOperations {
  const params = { id };
  const saved = () => m.couverture_saved({ titre });
  const restored = () => m.couverture_restored({ titre });
  const sent = (bytes: Blob) => ({ params, bytes, timeoutMs: SEND_TIMEOUT_MS });
  const asked = (signal: AbortSignal) => ({ params, signal, timeoutMs: OTHERS_TIMEOUT_MS });
  switch (kind) {
    case 'livres':
      return {
        choisir: (image) => write(choisies.choisirCouvertureLivre, sent(image), saved),
        remettre: () => write(choisies.remettreCouvertureLivre, { params }, restored),
        autres: {
          lister: (signal) => call(choisies.listerAutresCouverturesLivre, asked(signal)),
          choisir: (cle) =>
            write(choisies.choisirAutreCouvertureLivre, { params, body: { cle } }, saved),
        },
      };
    case 'souhaits':
      return {
        choisir: (image) => write(choisies.choisirCouvertureSouhait, sent(image), saved),
        remettre: () => write(choisies.remettreCouvertureSouhait, { params }, restored),
        autres: {
          lister: (signal) => call(choisies.listerAutresCouverturesSouhait, asked(signal)),
          choisir: (cle) =>
            write(choisies.choisirAutreCouvertureSouhait, { params, body: { cle } }, saved),
        },
      };
    case 'numeros':
      return {
        choisir: (image) => write(choisies.choisirCouvertureNumero, sent(image), saved),
        remettre: () => write(choisies.remettreCouvertureNumero, { params }, restored),
        autres: null,
      };
  }
}
