import { unsafeCast } from '$lib/api/unsafe-cast';
import { urlError } from '$lib/format/code-errors';
import { m } from '$lib/paraglide/messages';
import { MAX_LENGTHS } from '#shared/fields';
import type { FieldDescription } from './text-entry.svelte.ts';

type Texts<K extends string> = { readonly [P in K]?: string | null };
type TextField<K extends string> = FieldDescription<Texts<K>, Texts<K>>;

/** The field of a text that may be left out, under one name in the record and in the request. */
export const textField = <const K extends string>(
  key: K,
  look: Omit<TextField<K>, 'key' | 'read' | 'write'>,
): TextField<K> => ({
  key,
  ...look,
  read: (record) => record[key] ?? '',
  write: (text) => unsafeCast<Texts<K>>({ [key]: text }),
});

/** The address of a picture on the web. */
export const COVER_URL_FIELD = textField('coverUrl', {
  label: m.field_cover_url,
  name: m.field_cover_url_name,
  type: 'url',
  maxlength: MAX_LENGTHS.url,
  check: urlError,
});
