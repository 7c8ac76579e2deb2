import { isbnAsWritten } from '#shared/isbn';
import { issnOfCode977, parseIssn } from '#shared/issn';
import { normaliser } from '#shared/text';

/** What looks like a title: words with a vowel, or a short number as « 1984 ». */
const SHORT_NUMBER = /^\d{1,4}$/u;
const VOWEL = /[aeiouy]/u;
const OTHER_SCRIPT = /[^\0-\u02af]/u;
/** An address, of the web or of a person. */
const ADDRESS = /^\S+@\S+$|:\/\/|^www\./u;
/** The same letter or sign over and over, as of a key that was held. */
const HELD_KEY = /(.)\1{3}/u;

/** Whether words that found nothing may be a title or the code of one: only then can they be added. */
export function looksLikeLivre(text: string): boolean {
  if ((isbnAsWritten(text) ?? parseIssn(text) ?? issnOfCode977(text)) !== null) return true;
  const words = normaliser(text);
  if (SHORT_NUMBER.test(words)) return true;
  const letters = words.replace(/[^\p{L}]/gu, '');
  const digits = words.replace(/[^\p{N}]/gu, '');
  return (
    letters.length > Math.max(1, digits.length) &&
    (VOWEL.test(letters) || OTHER_SCRIPT.test(letters)) &&
    !ADDRESS.test(text.trim()) &&
    !HELD_KEY.test(text)
  );
}
