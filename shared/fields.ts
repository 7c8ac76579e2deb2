import { Type, type Static, type TSchema } from 'typebox';

// Shapes are made of one another by their `properties`, never by Type.Omit, Pick, Partial or
// Interface: each of these brings TypeBox's type engine, 11 kB, into a device's first load.

/** A record's number: a positive integer, never given twice (contract.md « Conventions »). */
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** A moment, ISO 8601 in UTC with a `Z`. */
export const Instant = Type.String({ maxLength: 30 });

/** The longest texts that a field takes, in code points (contract.md « Conventions »). */
export const LONGUEURS = { titre: 500, nom: 200, url: 2000, code: 40, texteLibre: 10_000 } as const;

/** A text that must say something; the server has trimmed it and made it NFC before. */
export const texte = (maxLength: number) => Type.String({ minLength: 1, maxLength });

/** A value that may be unknown: the schema, or `null`. */
export const nullable = <S extends TSchema & { type: string }>(schema: S) =>
  Type.Unsafe<Static<S> | null>({ ...schema, type: [schema.type, 'null'] });

/** A text of a payload that may be left out: absent, `null` and blank all mean « nothing ». */
export const texteFacultatif = (maxLength: number) =>
  Type.Optional(nullable(Type.String({ maxLength })));

/** What an optional text of a payload says, `null` when it says nothing. */
export const rienSiVide = (valeur: string | null | undefined): string | null =>
  valeur === undefined || valeur === null || valeur.trim() === '' ? null : valeur;

/** The `:id` of a path. */
export const ParId = Type.Object({ id: Id });
