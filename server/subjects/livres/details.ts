import { detailKey, type Detail } from '#shared/details';
import type { LivreSaisi } from '#shared/livres';
import { champRefusal } from '#shared/refusals';
import { parseKept } from '#server/plumbing/common/kept-json';
import type { Reader } from '#server/plumbing/database/connection';

// Details stand in one column of their book, and their names nowhere else: these are gathered where they are asked for
// (docs/rules.md § 56).

/** Throws `REQUETE_INVALIDE` for a value without a name, and for a second one under a name; blank values are left out. */
export function enteredDetails(given: LivreSaisi['details']): Detail[] {
  const keys = new Set<string>();
  return (given ?? []).flatMap(({ nom, valeur }, index) => {
    if (valeur === '') return [];
    const champ = `details.${index}.nom`;
    if (nom === '') throw champRefusal(champ, 'ne doit pas être vide');
    const key = detailKey(nom);
    if (keys.has(key)) throw champRefusal(champ, 'est déjà le nom d’un détail de ce livre');
    keys.add(key);
    return [{ nom, valeur }];
  });
}

/** The text of the column. */
export const detailsColumn = (details: readonly Detail[]): string | null =>
  details.length === 0 ? null : JSON.stringify(details.map(({ nom, valeur }) => ({ nom, valeur })));

/** Details as they are stored: each name as the household has spelt it first. */
export function storedDetails(database: Reader, details: readonly Detail[]): string | null {
  if (details.every(({ nom }) => isUsed(database, nom))) return detailsColumn(details);
  const noms = readNoms(database);
  return detailsColumn(
    details.map((detail) => ({ ...detail, nom: noms.get(detailKey(detail.nom)) ?? detail.nom })),
  );
}

/** A rare name is looked for from the newest book on: rows of one file have the same names. */
const isUsed = (database: Reader, nom: string): boolean =>
  database.value(
    `SELECT 1 FROM Livre WHERE details IS NOT NULL AND instr(details, ?) ORDER BY id DESC LIMIT 1`,
    `"nom":${JSON.stringify(nom)}`,
  ) !== undefined;

/** Of all books with details, the oldest first. */
export function* walkDetails(database: Reader): Generator<{ id: number; details: Detail[] }> {
  const rows = database
    .prepare<[], { id: number; details: string }>(
      'SELECT id, details FROM Livre WHERE details IS NOT NULL ORDER BY id',
    )
    .iterate();
  for (const { id, details } of rows) yield { id, details: parseKept<Detail[]>(details) };
}

/** The names that the household uses, by their keys. */
export function readNoms(database: Reader): ReadonlyMap<string, string> {
  const noms = new Map<string, string>();
  const seen = new Set<string>();
  for (const { details } of walkDetails(database))
    for (const { nom } of details) {
      if (seen.has(nom)) continue;
      seen.add(nom);
      const key = detailKey(nom);
      if (!noms.has(key)) noms.set(key, nom);
    }
  return noms;
}

export const detailsOfLivre = (database: Reader, id: number): Detail[] =>
  parseKept<Detail[]>(
    database.value<string | null>('SELECT details FROM Livre WHERE id = ?', id) ?? '[]',
  );
