import { choisirLangue } from '#shared/langue';
import { BASE_LOCALE, isLocale, preferredLocale, type Locale } from '#shared/locale';
import type { Moi } from '#shared/moi';
import { LanguageNote } from '../../service-worker/language-note.ts';
import { askWorker, COUNT_MS, KEEP_MS } from '../../service-worker/page.ts';
import { call } from '../api/call.ts';
import { base } from '../format/address.ts';
import { report } from './report.ts';
import type { Reader } from './status.ts';
import { device, notes } from './this-device.ts';

/** As long as a browser keeps a cookie: 400 days. Safari keeps one that a script wrote for seven, so it is written anew. */
const KEPT_S = 34_560_000;

/** What the worker reads (src/service-worker); without a secure connection there is neither. */
const workersNote = 'caches' in globalThis ? new LanguageNote(base) : null;

/** Where it is noted that the language of a reader's account is this one's, not the device's own. */
const ACCOUNTS = 'langueDuCompte';

/** The service gives the application, and tells what it tells, in this language (server/plumbing/http/language.ts). */
const writeCookie = (locale: Locale): void => {
  document.cookie = `langue=${locale}; Path=${base || '/'}; Max-Age=${KEPT_S}; SameSite=Lax`;
};

const cookieSays = (locale: Locale): boolean =>
  document.cookie.split('; ').includes(`langue=${locale}`);

const storedLanguage = async (): Promise<string | null> =>
  (await workersNote?.read().catch(() => null)) ?? null;

/** The language that is noted on this device; `null` where none is. Cookies may have been deleted alone. */
async function noted(): Promise<Locale | null> {
  const cookie = /(?:^|; )langue=(\w+)/.exec(document.cookie)?.[1];
  const kept = (await storedLanguage()) ?? cookie;
  return isLocale(kept) ? kept : null;
}

async function note(locale: Locale, isAccounts: boolean): Promise<void> {
  writeCookie(locale);
  notes.set(ACCOUNTS, isAccounts || null);
  if ((await storedLanguage()) === locale) return;
  await workersNote?.write(locale).catch((error: unknown) => report(error, 'noting a language'));
}

/** What is chosen without a network, until the reader's other devices can learn of it. */
const waitingNote = (reader: Reader): string => `langue|${encodeURIComponent(reader ?? '')}`;

function waitingOf(reader: Reader): Locale | null {
  const waiting = notes.get(waitingNote(reader));
  return isLocale(waiting) ? waiting : null;
}

/** Whether this device would read in a language without a network. */
export const isKept = async (locale: Locale): Promise<boolean> =>
  (await askWorker(`countMissing ${locale}`, COUNT_MS).catch(() => null)) === 0;

/**
 * Has this device read in another language from now on; its replica of the household stays as it is.
 *
 * @param isSent false where the reader's account could not be told, which is done as soon as it can
 */
export async function readIn(
  locale: Locale,
  { reader, isSent }: { reader: Reader; isSent: boolean },
): Promise<void> {
  // Where that fails the page comes from the service.
  const keeping = askWorker(`keepMissing ${locale}`, KEEP_MS);
  await keeping.catch((error: unknown) => report(error, 'keeping another language'));
  if (reader !== null) {
    notes.set(waitingNote(reader), isSent ? null : locale);
    // What the account said last, for starts without a network.
    const { lastReader } = device;
    if (lastReader?.utilisateur === reader) notes.set('reader', { ...lastReader, langue: locale });
  }
  await note(locale, reader !== null);
  location.reload();
}

/** What one reads in who is known by now; `null` where neither they nor this device have chosen. */
async function wishOf({ utilisateur, langue }: Moi): Promise<Locale | null> {
  const chosen = waitingOf(utilisateur) ?? langue;
  if (chosen !== undefined) return chosen;
  // Another reader's, whose tablet this is as well.
  if (notes.get(ACCOUNTS) === true)
    return preferredLocale(navigator.languages.join(',')) ?? BASE_LOCALE;
  return noted();
}

let asked = 0;
let following: Promise<unknown> = Promise.resolve();

/**
 * Notes the language of who reads, and tells their account what was chosen without a network. Of two at once the one that
 * was asked last stands.
 *
 * @returns true where the page is to begin anew for it, which it says once
 */
export function follow(moi: Moi, shown: Locale): Promise<boolean> {
  const turn = ++asked;
  const isLast = () => turn === asked;
  const done = following.then(async () => isLast() && (await followOne(moi, shown)) && isLast());
  following = done.catch(() => undefined);
  return done;
}

async function followOne(moi: Moi, shown: Locale): Promise<boolean> {
  const wanted = await wishOf(moi);
  if (wanted === null) return false;
  const hasChanged = !cookieSays(wanted) || (await noted()) !== wanted;
  await note(wanted, moi.langue !== undefined || waitingOf(moi.utilisateur) !== null);
  // Where nothing is kept, a page that begins anew would do so for ever.
  return hasChanged && wanted !== shown && cookieSays(wanted);
}

/** Tells a reader's account what they have chosen without a network. */
export async function sendWaiting(reader: Reader): Promise<void> {
  const langue = waitingOf(reader);
  if (langue === null) return;
  await call(choisirLangue, { reader, body: { langue } });
  notes.set(waitingNote(reader), null);
}
