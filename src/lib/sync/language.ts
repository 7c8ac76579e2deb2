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

/**
 * The lifetime that browsers grant a cookie: 400 days. Safari limits cookies of scripts to seven, so that it is
 * renewed.
 */
const KEPT_S = 34_560_000;

/** Read by the service worker (src/service-worker); without a secure connection there is neither. */
const workersNote = 'caches' in globalThis ? new LanguageNote(base) : null;

/** The key under which the account's language is stored as different from the device's own. */
const ACCOUNTS = 'langueDuCompte';

/** The service serves application and messages in this language (server/plumbing/http/language.ts). */
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

/** A language chosen offline, until it can be sent to the account. */
const waitingNote = (reader: Reader): string => `langue|${encodeURIComponent(reader ?? '')}`;

function waitingOf(reader: Reader): Locale | null {
  const waiting = notes.get(waitingNote(reader));
  return isLocale(waiting) ? waiting : null;
}

/** Whether this device would read in a language without a network. */
export const isKept = async (locale: Locale): Promise<boolean> =>
  (await askWorker(`countMissing ${locale}`, COUNT_MS).catch(() => null)) === 0;

/**
 * Switches this device to another language; the replica is unchanged.
 *
 * @param isSent false if the account could not be updated, which is retried later
 */
export async function readIn(
  locale: Locale,
  { reader, isSent }: { reader: Reader; isSent: boolean },
): Promise<void> {
  // If that fails the page is fetched from the service.
  const keeping = askWorker(`keepMissing ${locale}`, KEEP_MS);
  await keeping.catch((error: unknown) => report(error, 'keeping another language'));
  if (reader !== null) {
    notes.set(waitingNote(reader), isSent ? null : locale);
    // The account's last known language, for starts without a network.
    const { lastReader } = device;
    if (lastReader?.utilisateur === reader) notes.set('reader', { ...lastReader, langue: locale });
  }
  await note(locale, reader !== null);
  location.reload();
}

/** The language of a known reader; `null` if neither they nor this device have chosen one. */
async function wishOf({ utilisateur, langue }: Moi): Promise<Locale | null> {
  const chosen = waitingOf(utilisateur) ?? langue;
  if (chosen !== undefined) return chosen;
  // The stored language belonged to another reader of the device.
  if (notes.get(ACCOUNTS) === true)
    return preferredLocale(navigator.languages.join(',')) ?? BASE_LOCALE;
  return noted();
}

let asked = 0;
let following: Promise<unknown> = Promise.resolve();

/**
 * Stores the reader's language and sends an offline choice to the account. Of two concurrent calls the last one wins.
 *
 * @returns true, once, if the page has to be reloaded for it
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
  // Without storage the page would reload forever.
  return hasChanged && wanted !== shown && cookieSays(wanted);
}

/** Sends an offline choice to the reader's account. */
export async function sendWaiting(reader: Reader): Promise<void> {
  const langue = waitingOf(reader);
  if (langue === null) return;
  await call(choisirLangue, { reader, body: { langue } });
  notes.set(waitingNote(reader), null);
}
