import { unsafeCast } from '../../api/unsafe-cast.ts';
import { base } from '../../format/address.ts';
import type { NotesPort } from '../ports.ts';
import { report } from '../report.ts';

const PREFIX = `rayonnage.${base && `${base}|`}`;

/** Notes that the browser did not keep; they last as long as the page. */
const forgotten = new Map<string, unknown>();

/** Notes in `localStorage`. */
export const notes: NotesPort = {
  get(key) {
    if (forgotten.has(key)) return forgotten.get(key);
    try {
      const text = localStorage.getItem(PREFIX + key);
      return text === null ? null : unsafeCast<unknown>(JSON.parse(text));
    } catch (error) {
      report(error, `reading the note ${key}`);
      return null;
    }
  },

  set(key, value) {
    try {
      localStorage.setItem(PREFIX + key, JSON.stringify(value));
      forgotten.delete(key);
    } catch (error) {
      report(error, `noting ${key}`);
      forgotten.set(key, value);
    }
  },
};
