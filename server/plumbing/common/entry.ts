import type { Static, TObject } from 'typebox';
import { emptyToNull } from '#shared/fields';
import { isbnAsWritten, otherCodeOf } from '#shared/isbn';
import { champRefusal, Refusal } from '#shared/refusals';
import { FORMATS } from './schemas.ts';

type Entry<S extends TObject> = {
  readonly [K in keyof Static<S>]-?: Exclude<Static<S>[K], undefined>;
};

/** Reads the fields of a payload by its schema; absent or blank ones become `null` (docs/rules.md § 3). */
export function enteredFields<S extends TObject>(schema: S, payload: Static<S>): Entry<S> {
  const given = new Map<string, unknown>(Object.entries(payload));
  const fields = Object.keys(schema.properties).map((name) => {
    const value = given.get(name) ?? null;
    return [name, typeof value === 'string' ? emptyToNull(value) : value];
  });
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the payload has been checked against this schema
  return Object.fromEntries(fields) as Entry<S>;
}

/** The bare ISBN-13 of a field, `null` when it is empty. Throws `ISBN_INVALIDE`. */
export function enteredIsbn(text: string | null): string | null {
  if (text === null) return null;
  const isbn = isbnAsWritten(text);
  if (isbn === null) throw new Refusal('ISBN_INVALIDE', { revue: null, sorte: otherCodeOf(text) });
  return isbn;
}

/** Throws `REQUETE_INVALIDE` if the text is no instant or no day of the calendar. */
export function enteredInstant(text: string, champ: string): Date {
  requireFormat('date-time', text, champ);
  return new Date(text);
}

export function enteredCoverUrl(text: string | null): string | null {
  if (text !== null) requireFormat('web-address', text, 'coverUrl');
  return text;
}

/** Throws `REQUETE_INVALIDE`. */
export function requireFormat(format: keyof typeof FORMATS, text: string, champ: string): void {
  const { is, code } = FORMATS[format];
  if (!is(text)) throw champRefusal(champ, code);
}

/** Names the fields that work refuses as fields of a part of the payload. */
export function refusingUnder<T>(part: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!refusesFields(error)) throw error;
    const { champs } = error.details;
    throw new Refusal('REQUETE_INVALIDE', {
      champs: champs.map((one) => ({ ...one, champ: `${part}.${one.champ}` })),
    });
  }
}

const refusesFields = (error: unknown): error is Refusal<'REQUETE_INVALIDE'> =>
  error instanceof Refusal && error.code === 'REQUETE_INVALIDE';

/** Whether `order` has exactly the items of `list`; otherwise that list was outdated (docs/rules.md § 17, 19). */
export function isReordering<T extends string | number>(
  list: readonly T[],
  order: readonly T[],
): boolean {
  const left = new Set(list);
  return order.length === list.length && order.every((item) => left.delete(item));
}
