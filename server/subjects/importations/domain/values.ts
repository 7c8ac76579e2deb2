import { parseIsbn } from '#shared/isbn';

/** A cell without what programs put around a value: `="978…"`, brackets, quotes, blanks. */
export function bare(text: string): string {
  return text
    .trim()
    .replace(/^="?(.*?)"?$/s, '$1')
    .replace(/^\[(.*)\]$/s, '$1')
    .trim();
}

/** « Cortázar, Julio » in reading order; a name with no comma, or with several, as it is. */
export function readingOrder(nom: string): string {
  const [family = '', given = '', ...others] = nom.split(',').map((part) => part.trim());
  return given === '' || family === '' || others.length > 0 ? nom : `${given} ${family}`;
}

/** The ISBN that a record gives, and what is to be said of the others. */
interface ReadIsbn {
  readonly isbn: string | null;
  readonly avertissements: readonly string[];
}

/** The first valid one of the ISBNs of a record; a false one is said and never guessed. */
export function readIsbns(texts: readonly string[]): ReadIsbn {
  const given = [...new Set(texts.map(bare).filter((text) => text !== '' && text !== '0'))];
  const valid = [...new Set(given.flatMap((text) => parseIsbn(text) ?? []))];
  const [isbn = null] = valid;
  const avertissements = given
    .filter((text) => parseIsbn(text) === null)
    .map((text) => falseIsbn(text));
  if (valid.length > 1)
    avertissements.push(`deux ISBN se contredisent : ${valid.join(' et ')} ; le premier compte`);
  return { isbn, avertissements };
}

function falseIsbn(text: string): string {
  const said = text.slice(0, 40);
  if (/^\d([.,]\d+)?E\+?\d+$/i.test(text))
    return `ISBN abîmé par un tableur, laissé de côté : ${said}`;
  return `ce n’est pas un ISBN, laissé de côté : ${said}`;
}

/** The year of a date in any form; `null` for none, for 0000 and for what has no year. */
export function readAnnee(text: string): number | null {
  const value = bare(text);
  if (/^-\d{1,4}$/.test(value)) return Number(value);
  const [, year] = /(?<!\d)(\d{4})(?!\d)/.exec(value) ?? /^(\d{1,3})$/.exec(value) ?? [];
  const annee = Number(year ?? 0);
  return annee === 0 ? null : annee;
}

/** A count of pages, whatever blanks stand in it; `null` for 0 and for what is no count. */
export function readCount(text: string): number | null {
  const value = bare(text).replace(/[\s\u00a0\u202f]/g, '');
  const [, whole] = /^(\d{1,7})(?:[.,]0+)?$/.exec(value) ?? [];
  return whole === undefined || Number(whole) === 0 ? null : Number(whole);
}

/** A day as an instant, read year first, or day first; `null` for what is no day. */
export function readDate(text: string | null): string | null {
  const value = bare(text ?? '');
  const [, y1, m1, d1] = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/.exec(value) ?? [];
  const [, d2, m2, y2] = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?!\d)/.exec(value) ?? [];
  const [year, month, day] = [y1 ?? y2, m1 ?? m2, d1 ?? d2].map(Number);
  if (!year || !month || !day) return null;
  const date = new Date(Date.UTC(year, month - 1, day));
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year > 1900;
  return isDay && date.getTime() <= Date.now() ? date.toISOString() : null;
}

/** Whether a cell says yes. */
// cspell:disable-next-line -- a word that other programs write
export const isYes = (text: string): boolean => /^(?:1|true|yes|oui|vrai|x)$/i.test(text.trim());
