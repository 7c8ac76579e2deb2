import { detailKey, detailsByKey, type Detail } from '#shared/details';
import type { LivreDocument, LivreSaisi } from '#shared/livres';
import { unsafeCast } from '$lib/api/unsafe-cast';
import { m } from '$lib/paraglide/messages';
import type { FieldDescription } from '$lib/ui/form/text-entry.svelte';

// A form holds the details of a book as one text, so that drafts keep them as any field.

/** The details of a form's text, with the rows that are still being typed. */
export const readDetails = (text: string): readonly Detail[] =>
  text === '' ? [] : unsafeCast<Detail[]>(JSON.parse(text));

export const writeDetails = (details: readonly Detail[]): string =>
  details.length === 0 ? '' : JSON.stringify(details.map(({ nom, valeur }) => ({ nom, valeur })));

const isTyped = ({ nom, valeur }: Detail): boolean => nom.trim() !== '' || valeur.trim() !== '';

export const DETAILS_FIELD: FieldDescription<LivreDocument, LivreSaisi> = {
  key: 'details',
  label: m.field_details,
  read: ({ details }) => writeDetails(details),
  write: (text) => ({ details: readDetails(text).filter(isTyped) }),
  display: (text) =>
    readDetails(text)
      .map(({ nom, valeur }) => `${nom}\u00a0: ${valeur}`)
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
