import { detailKey } from '#shared/detail-names';
import { detailsByKey, MAX_DETAILS, type Detail } from '#shared/details';
import { unsafeCast } from '$lib/api/unsafe-cast';
import { m } from '$lib/paraglide/messages';
import { detailInWords } from '$lib/records/details/names';
import type { FieldDescription } from '$lib/ui/form/text-entry.svelte';

// A form's details are one text, so that drafts store them like other fields.

/** The details of a form's text, with the rows that are still being typed. */
export const readDetails = (text: string): readonly Detail[] =>
  text === '' ? [] : unsafeCast<Detail[]>(JSON.parse(text));

export const writeDetails = (details: readonly Detail[]): string =>
  details.length === 0 ? '' : JSON.stringify(details.map(({ nom, valeur }) => ({ nom, valeur })));

/** Emptying the value removes the detail. */
const hasValeur = ({ valeur }: Detail): boolean => valeur.trim() !== '';

/** The first invalid row: a value without a name, or a repeated name. */
export function findWrongDetail(
  rows: readonly Detail[],
): { readonly index: number; readonly message: string } | undefined {
  const keys = new Set<string>();
  for (const [index, row] of rows.entries()) {
    if (!hasValeur(row)) continue;
    const nom = row.nom.trim();
    if (nom === '') return { index, message: m.detail_nom_required() };
    if (keys.has(detailKey(nom))) return { index, message: m.detail_twice({ nom }) };
    keys.add(detailKey(nom));
  }
  return undefined;
}

function detailsError(text: string): string | undefined {
  const rows = readDetails(text).filter(hasValeur);
  if (rows.length > MAX_DETAILS) return m.details_too_many({ max: MAX_DETAILS });
  return findWrongDetail(rows)?.message;
}

export const DETAILS_FIELD: FieldDescription<
  { readonly details: readonly Detail[] },
  { details?: Detail[] | null }
> = {
  key: 'details',
  label: m.field_details,
  read: ({ details }) => writeDetails(details.map(detailInWords)),
  write: (text) => ({ details: readDetails(text).filter(hasValeur) }),
  check: detailsError,
  display: (text) =>
    readDetails(text)
      .map(({ nom, valeur }) => m.detail_told({ nom, valeur }))
      .join('\n'),
  parts: {
    of: (text) =>
      new Map(
        Array.from(detailsByKey(readDetails(text)), ([key, { nom, valeur }]) => [
          key,
          { label: nom, text: valeur.trim() },
        ]),
      ),
    withPart(text, key, from) {
      const given = detailsByKey(readDetails(from)).get(key);
      const details = readDetails(text);
      const index = details.findIndex(({ nom }) => detailKey(nom) === key);
      const others = details.filter((_, at) => at !== index);
      if (given === undefined) return writeDetails(others);
      return writeDetails(
        index < 0 ? [...details, given] : details.map((each, at) => (at === index ? given : each)),
      );
    },
  },
};
