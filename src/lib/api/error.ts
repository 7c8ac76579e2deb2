import type { RefusalCode, RefusalDetails } from '#shared/refusals';

type Details<C> = C extends keyof RefusalDetails ? RefusalDetails[C] : unknown;

/** A refusal of the server: its code, its sentence and the details of the code. */
export type Refusal = {
  [C in RefusalCode]: { readonly code: C; readonly message: string } & Details<C>;
}[RefusalCode];

/**
 * Why an operation has no answer: `refusal` (a rule says no), `offline` (no network or no server),
 * `sessionExpired` (the sign-on layer asks to sign in again), `unexpected` (the server is there
 * and failed).
 */
type ApiErrorKind = 'refusal' | 'offline' | 'sessionExpired' | 'unexpected';

/** An operation without an answer; its message is a sentence in French, fit for the screen. */
export class ApiError extends Error {
  readonly kind: ApiErrorKind;
  /** The refusal when `kind` is `refusal`, else `null`. */
  readonly refusal: Refusal | null;
  /** The revision of the record that the refusal carries (`MODIFIE_ENTRETEMPS`), else `null`. */
  readonly revision: number | null;

  constructor(
    kind: ApiErrorKind,
    message: string,
    refusal: Refusal | null = null,
    revision: number | null = null,
  ) {
    super(message);
    this.name = 'ApiError';
    this.kind = kind;
    this.refusal = refusal;
    this.revision = revision;
  }
}

/** The refusal of an error, or `null`: `refusalOf(error)?.code === 'DOUBLON'`. */
export const refusalOf = (error: unknown): Refusal | null =>
  error instanceof ApiError ? error.refusal : null;
