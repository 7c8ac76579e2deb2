import { MAX_LENGTHS } from '#shared/fields';
import { areTomes, AUCUN_TOME } from '#shared/tomes';
import { m } from '$lib/paraglide/messages';
import { textField } from '$lib/ui/form/fields';

/** « none » of an English reader is kept as « aucun ». */
const kept = (text: string) => (text.trim() === m.tomes_none() ? AUCUN_TOME : text);

const field = textField('tomes', {
  label: m.field_tomes,
  hint: m.tomes_hint,
  maxlength: MAX_LENGTHS.code,
  check: (text) =>
    text.trim() === '' || areTomes(kept(text).trim()) ? undefined : m.tomes_invalid(),
});

/** What a person says of the volumes inside a book, in the form of its series and in its own. */
export const TOMES_FIELD: typeof field = {
  ...field,
  read: (record) => (record.tomes === AUCUN_TOME ? m.tomes_none() : field.read(record)),
  write: (text) => field.write(kept(text)),
};
