import type { Locale } from '#shared/locale';
import { goOver } from '../../service-worker/go-over.ts';
import { base } from '../format/address.ts';
import { browserPart } from './this-device.ts';

/** As long as a browser keeps a cookie: 400 days. */
const KEPT_S = 34_560_000;

/** The service gives the application, and tells what it tells, in this language (server/plumbing/http/language.ts). */
const note = (locale: Locale): void => {
  document.cookie = `langue=${locale}; Path=${base || '/'}; Max-Age=${KEPT_S}; SameSite=Lax`;
};

const isNoted = (locale: Locale): boolean =>
  document.cookie.split('; ').includes(`langue=${locale}`);

/** Has this device read in another language from now on; its copy of the household stays as it is. */
export async function readIn(locale: Locale): Promise<void> {
  note(locale);
  await goOver();
}

/** What its reader chose on another device; the application comes in it as a new version does, at their word. */
export async function follow(locale: Locale): Promise<void> {
  if (isNoted(locale)) return;
  note(locale);
  await (await browserPart('serviceWorker')?.getRegistration())?.update();
}
