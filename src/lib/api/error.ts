import type { RefusalCode, RefusalDetails } from '#shared/refusals';

type Details<C> = C extends keyof RefusalDetails ? RefusalDetails[C] : unknown;

/** A rule of the server that said no: its code, its sentence and its details, told by the code. */
export type Refus = {
  [C in RefusalCode]: { readonly code: C; readonly message: string } & Details<C>;
}[RefusalCode];

/**
 * Why an operation has no answer: `refus` (a rule says no), `horsLigne` (no network or no server),
 * `sessionExpiree` (the sign-on layer asks to sign in again), `inattendu` (anything else).
 */
export type ApiErrorKind = 'refus' | 'horsLigne' | 'sessionExpiree' | 'inattendu';

/** An operation without an answer; its message is a sentence in French, fit for the screen. */
export class ApiError extends Error {
  readonly kind: ApiErrorKind;
  /** The refusal when `kind` is `refus`, else `null`. */
  readonly refus: Refus | null;

  constructor(kind: ApiErrorKind, message: string, refus: Refus | null = null) {
    super(message);
    this.name = 'ApiError';
    this.kind = kind;
    this.refus = refus;
  }
}

/** The refusal that an error tells, or `null`: `refusDe(erreur)?.code === 'DOUBLON'`. */
export const refusDe = (erreur: unknown): Refus | null =>
  erreur instanceof ApiError ? erreur.refus : null;
