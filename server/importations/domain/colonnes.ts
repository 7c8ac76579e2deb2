import { COLONNES, type Colonnes } from '#shared/importations';
import { champRefusal } from '#shared/refusals';

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
