import { partsOf } from '#shared/text';
import { createHash } from 'node:crypto';
import { COLONNES, type Colonnes } from '#shared/importations';
import { champRefusal, Refusal } from '#shared/refusals';
import { readingOrder } from '../values.ts';
import { guessColonnes, headerKey, toColumns } from './common-headers.ts';
import type { TableFormat } from './table-format.ts';

/** How the mapping of an unknown table is found. */
export interface Mapping {
  /** As its person says. */
  readonly given: Colonnes | null;
  /** As it was said for a table with this header before. */
  readonly remembered: (signature: string) => Colonnes | null;
}

/** The mapping of a query, JSON of our fields to headers; `null` without one. */
export function readColonnes(text: string | undefined): Colonnes | null {
  if (text === undefined) return null;
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw champRefusal('colonnes', 'est un objet JSON');
  const entries = Object.entries(value).filter(([, header]) => header !== null && header !== '');
  for (const [name, header] of entries)
    if (!COLONNES.some((colonne) => colonne === name) || typeof header !== 'string')
      throw champRefusal('colonnes', `${name.slice(0, 40)} n’est pas un champ suivi d’un en-tête`);
  return Object.fromEntries(entries);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw champRefusal('colonnes', 'n’est pas du JSON lisible');
  }
}

/** A header as one text of fixed length, by which its mapping is remembered. */
export const signatureOf = (headers: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify(headers.map(headerKey)))
    .digest('base64');

/** How many columns a person is asked about. */
const MAX_COLONNES = 200;

/** Three values of each named column, to tell what stands in it. */
export const exemplesOf = (
  headers: readonly string[],
  rows: readonly (readonly string[])[],
): string[][] =>
  headers
    .flatMap((header, index) => {
      const values = new Set(rows.map((row) => (row[index] ?? '').slice(0, 60)));
      values.delete('');
      return header === '' ? [] : [[...values].slice(0, 3)];
    })
    .slice(0, MAX_COLONNES);

/** The mapping of an unknown table. Throws `FICHIER_INVALIDE` with its headers where there is none. */
export function findColonnes(
  headers: readonly string[],
  exemples: string[][],
  { given, remembered }: Mapping,
): Colonnes {
  const colonnes = given ?? remembered(signatureOf(headers)) ?? guessColonnes(headers);
  const entetes = headers.filter((header) => header !== '').slice(0, MAX_COLONNES);
  const keys = headers.map(headerKey);
  for (const header of Object.values(colonnes))
    if (!keys.includes(headerKey(header)))
      throw new Refusal('FICHIER_INVALIDE', {
        raison: `Il n’y a pas de colonne « ${header.slice(0, 100)} » dans ce fichier.`,
        entetes,
        exemples,
      });
  if (colonnes.titre === undefined && colonnes.isbn === undefined)
    throw new Refusal('FICHIER_INVALIDE', {
      raison:
        'Ce fichier n’est pas reconnu : dites quelle colonne est le titre, ou donnez un fichier dont la première ligne nomme les colonnes.',
      entetes,
      exemples,
    });
  return colonnes;
}

/** Any table, by its mapping; several authors stand apart by semicolons, or by commas. */
export const mappedFormat = (colonnes: Colonnes): TableFormat => ({
  name: 'table',
  known: [],
  columns: toColumns(colonnes),
  quirk: (row) => ({ ...row, auteurs: row.auteurs.flatMap(splitAuteurs) }),
});

/** « Verne, Jules » is one name: a comma parts names only where each has several words. */
function splitAuteurs(text: string): string[] {
  if (/[;|]/.test(text)) return partsOf(text, /[;|]/);
  const parts = partsOf(text, /,|\s&\s/);
  return parts.length > 1 && parts.every((part) => part.includes(' '))
    ? parts
    : [readingOrder(text)];
}
