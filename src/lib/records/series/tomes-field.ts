import { MAX_LENGTHS } from '#shared/fields';
import { areTomes, AUCUN_TOME } from '#shared/tomes';
import { m } from '$lib/paraglide/messages';
import { textField } from '$lib/ui/form/fields';

/** English “none” is stored as « aucun ». */
const kept = (text: string) => (text.trim() === m.tomes_none() ? AUCUN_TOME : text);

const field = textField('tomes', {
  label: m.field_tomes,
  hint: m.tomes_hint,
  maxlength: MAX_LENGTHS.code,
  check: (text) =>
    text.trim() === '' || areTomes(kept(text).trim()) ? undefined : m.tomes_invalid(),
});

/** The volumes in a book, in the forms of its series and of the book. */
export const TOMES_FIELD: typeof field = {
  ...field,
  read: (record) => (record.tomes === AUCUN_TOME ? m.tomes_none() : field.read(record)),
  write: (text) => field.write(kept(text)),
};
