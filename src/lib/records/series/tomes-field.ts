import { MAX_LENGTHS } from '#shared/fields';
import { areTomes } from '#shared/tomes';
import { m } from '$lib/paraglide/messages';
import { textField } from '$lib/ui/form/fields';

/** What a person says of the volumes inside a book, in the form of its series and in its own. */
export const TOMES_FIELD = textField('tomes', {
  label: m.field_tomes,
  hint: m.tomes_hint,
  maxlength: MAX_LENGTHS.code,
  check: (text) => (text.trim() === '' || areTomes(text.trim()) ? undefined : m.tomes_invalid()),
});
