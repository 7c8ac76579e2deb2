import { isbnError } from '$lib/format/code-errors';
import { m } from '$lib/paraglide/messages';
import { MAX_LENGTHS } from '#shared/fields';
import { isbnAsWritten } from '#shared/isbn';
import { formatIsbn } from '#shared/isbn-format';
import type { FieldDescription } from './text-entry.svelte.ts';

/** The field of an ISBN, which is shown with its hyphens (docs/rules.md § 7). */
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
  tell: formatIsbn,
  check: isbnError,
  refusals: ['ISBN_INVALIDE'],
};
