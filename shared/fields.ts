import { Type, type Static, type TSchema } from 'typebox';

// Shapes are composed by spreading `properties`, never by Type.Omit, Pick, Partial or Interface, and maps are
// Type.Unsafe, not Type.Record: each of these brings TypeBox's type engine, 11 kB, into a device's first load.

/** A positive integer that is never used again. */
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

// The server defines each `format` (server/plumbing/common/schemas.ts).

/** A moment in ISO 8601, in UTC with a `Z`. */
export const Instant = Type.String({ maxLength: 30, format: 'date-time' });

/** A day of ISO 8601: `2026-03-12`. */
export const Day = Type.String({ maxLength: 10, format: 'date' });

/** Thirteen digits. */
export const Isbn = Type.String({ maxLength: 13, format: 'isbn' });

/** In the hyphenated form. */
export const Issn = Type.String({ maxLength: 9, format: 'issn' });

export const Count = Type.Integer({ minimum: 0 });

/** An order of which only the sequence counts. */
export const Position = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** A place in a list, from 1 and without holes. */
export const Rang = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** In code points (docs/rules.md § 3). */
export const MAX_LENGTHS = { titre: 500, nom: 200, url: 2000, code: 40, freeText: 10_000 } as const;

/** The address of a picture on the web. */
export const CoverUrl = Type.String({ maxLength: MAX_LENGTHS.url, format: 'web-address' });

/** Fields whose texts keep line breaks; every other text is one line. */
export const LONG_TEXTS: ReadonlySet<string> = new Set(['une', 'resume', 'avis', 'valeur']);

/** A non-empty text; the server has trimmed it and normalised it to NFC before. */
export const text = (maxLength: number) => Type.String({ minLength: 1, maxLength });

export const nullable = <S extends TSchema & { type: string }>(schema: S) =>
  Type.Unsafe<Static<S> | null>({ ...schema, type: [schema.type, 'null'] });

/** A text of a payload that may be left out: absent, `null` and blank all mean « nothing ». */
export const optionalText = (maxLength: number) =>
  Type.Optional(nullable(Type.String({ maxLength })));

export const optionalTexts = (maxLength: number, maxItems: number) =>
  Type.Optional(nullable(Type.Array(Type.String({ maxLength }), { maxItems })));

export const emptyToNull = (value: string | null | undefined): string | null =>
  value === undefined || value === null || value.trim() === '' ? null : value;

export const IdParams = Type.Object({ id: Id });
