import { LONG_TEXTS } from '#shared/fields';
import { champRefusal } from '#shared/refusals';
import { nfc, oneLine } from '#shared/text';

/** More values than any payload of the service needs, and few enough to validate at once. */
const MAX_VALUES = 20_000;

/**
 * Refuses a NUL and a lone surrogate, which a database or another device could not return unchanged
 * (docs/rules.md § 3).
 */
function checkText(text: string, champ: string): void {
  if (text.includes('\0') || !text.isWellFormed())
    throw champRefusal(champ, 'contient un caractère interdit');
}

/** A text as the service stores it: trimmed, NFC, in one line but for long texts, whose lines end in one way. */
export function cleanText(text: string, champ: string, isLong = false): string {
  checkText(text, champ);
  return nfc((isLong ? text.replace(/\r\n?/g, '\n') : oneLine(text)).trim());
}

/**
 * Cleans every text of a parsed JSON body in place. Walks without recursion, so that no depth of
 * nesting overflows the stack.
 */
export function cleanBody(body: unknown): Record<string, unknown> {
  if (!isBranch(body) || Array.isArray(body))
    throw champRefusal('corps', 'doit être un objet JSON');
  const pending: { branch: Branch; path: string }[] = [{ branch: body, path: '' }];
  let seen = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { branch, path } = next;
    for (const key of Object.keys(branch)) {
      if (++seen > MAX_VALUES) throw champRefusal('corps', 'contient trop de valeurs');
      const champ = path + key;
      checkText(key, 'corps');
      const value = branch[key];
      if (typeof value === 'string') branch[key] = cleanText(value, champ, LONG_TEXTS.has(key));
      else if (isBranch(value)) pending.push({ branch: value, path: `${champ}.` });
    }
  }
  return body;
}

/** An object or a list of parsed JSON; a list's indexes are keys like the others. */
type Branch = Record<string, unknown>;

const isBranch = (value: unknown): value is Branch => typeof value === 'object' && value !== null;

/**
 * The parameters of a query string, each cleaned; one that says nothing is left out. Refuses one
 * given twice and one that is not UTF-8, percent-encoded or raw.
 */
export function readQuery(url: string): Record<string, string> {
  const query: Record<string, string> = {};
  const start = url.indexOf('?');
  const pairs = start === -1 ? [] : url.slice(start + 1).split('&');
  const seen = new Set<string>();
  for (const pair of pairs.filter((some) => some !== '')) {
    const [, rawName = '', rawValue = ''] = /^([^=]*)=?(.*)$/s.exec(pair) ?? [];
    const name = cleanText(decode(rawName, 'adresse'), 'adresse');
    if (seen.has(name)) throw champRefusal(name, 'est donné deux fois');
    seen.add(name);
    const value = cleanText(decode(rawValue, name), name);
    if (value !== '') query[name] = value;
  }
  return query;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Node gives raw bytes beyond ASCII as latin1. */
function decode(text: string, champ: string): string {
  try {
    const raw = /[\x80-\xff]/.test(text) ? utf8.decode(Buffer.from(text, 'latin1')) : text;
    return decodeURIComponent(raw.replaceAll('+', ' '));
  } catch {
    throw champRefusal(champ, 'ne se lit pas');
  }
}
