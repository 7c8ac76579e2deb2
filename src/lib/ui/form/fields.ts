import { unsafeCast } from '$lib/api/unsafe-cast';
import { isbnError, urlError } from '$lib/format/code-errors';
import { m } from '$lib/paraglide/messages';
import { MAX_LENGTHS } from '#shared/fields';
import { isbnAsWritten } from '#shared/isbn';
import { formatIsbn } from '#shared/isbn-format';
import type { RefusalCode } from '#shared/refusals';
import type { FieldDescription } from './text-entry.svelte.ts';

type TextField<K extends string> = FieldDescription<
  { readonly [P in K]?: string | null },
  { readonly [P in K]: string }
>;

/** A text field with the same key in the record and in the request. */
export const textField = <const K extends string>(
  key: K,
  look: Omit<TextField<K>, 'key' | 'read' | 'write'>,
): TextField<K> => ({
  key,
  ...look,
  read: (record) => record[key] ?? '',
  write: (text) => unsafeCast<Partial<Record<K, string>>>({ [key]: text }),
});

export const COVER_URL_FIELD = textField('coverUrl', {
  label: m.field_cover_url,
  name: m.field_cover_url_name,
  type: 'url',
  maxlength: MAX_LENGTHS.url,
  check: urlError,
});

/** An ISBN, shown with hyphens (docs/rules.md § 7). */
export const ISBN_FIELD: FieldDescription<
  { readonly isbnAffiche: string | null },
  { isbn?: string | null }
> = {
  key: 'isbn',
  label: m.field_isbn,
  maxlength: MAX_LENGTHS.code,
  code: true,
  read: ({ isbnAffiche }) => isbnAffiche ?? '',
  write: (isbn) => ({ isbn }),
  display: (text) => formatIsbn(isbnAsWritten(text) ?? text.trim()),
  format: formatIsbn,
  check: isbnError,
  refusals: ['ISBN_INVALIDE'],
};

/** @param missing the sentence for a blank title */
export const titreField = (
  missing: () => string,
  refusals: readonly RefusalCode[] = [],
): TextField<'titre'> =>
  textField('titre', {
    label: m.field_titre,
    maxlength: MAX_LENGTHS.titre,
    required: true,
    check: (titre) => (titre.trim() === '' ? missing() : undefined),
    refusals,
  });
