import type { OptionsCreation, OptionsSignature } from '#shared/cles-acces';
import { Authenticator } from '../support/authenticator.ts';
import { openHome, PASSWORD, type Browser, type Home, type Reply } from './support.ts';

/** The origin of a browser behind an HTTPS proxy, with the headers that it sends. */
export const ORIGIN = 'https://bibliotheque.example.org';
export const THERE = { Host: 'bibliotheque.example.org', Origin: ORIGIN };
export const ELSEWHERE = { Host: 'ailleurs.example.org', Origin: 'https://ailleurs.example.org' };

/** A household behind a proxy, under any host name. */
export const openNamed = (settings: Record<string, string> = {}): Promise<Home> =>
  openHome({ ALLOWED_HOSTS: '*', ...settings });

type Headers = Record<string, string>;

/** Requests the options for a member's new passkey. */
export async function askForOne(browser: Browser, headers: Headers = THERE) {
  const asked = { motDePasse: PASSWORD };
  const { body } = await browser.ask('POST', '/api/moi/cles-acces/defi', asked, headers);
  return body as OptionsCreation;
}

/** Creates a passkey of a member, and its authenticator. */
export async function addPasskey(
  browser: Browser,
  headers: Headers = THERE,
): Promise<Authenticator> {
  const authenticator = new Authenticator(headers['Origin'] ?? '');
  const cleAcces = authenticator.make(await askForOne(browser, headers));
  const body = { nom: 'Téléphone', cleAcces };
  const { status } = await browser.ask('POST', '/api/moi/cles-acces', body, headers);
  if (status !== 201) throw new Error(`the passkey was not kept: ${status}`);
  return authenticator;
}

export async function askToSign(browser: Browser, headers: Headers = THERE) {
  const { body } = await browser.ask('POST', '/api/connexion/cle-acces/defi', undefined, headers);
  return body as OptionsSignature;
}

export const sendSigned = (
  browser: Browser,
  signature: unknown,
  headers: Headers = THERE,
): Promise<Reply> => browser.ask('POST', '/api/connexion/cle-acces', { signature }, headers);

/** Signs in on a new device by an authenticator. */
export async function signInBy(
  home: Home,
  authenticator: Authenticator,
  ...lie: [lie?: Parameters<Authenticator['sign']>[1]]
): Promise<{ readonly reply: Reply; readonly browser: Browser }> {
  const browser = home.device();
  const signature = authenticator.sign(await askToSign(browser), ...lie);
  return { reply: await sendSigned(browser, signature), browser };
}

/** Accepts an invitation by a passkey only. */
export async function arrive(home: Home, jeton: string, saisi: object = {}) {
  const browser = home.device();
  const authenticator = new Authenticator(ORIGIN);
  const asked = { jeton, ...saisi };
  const defi = await browser.ask('POST', '/api/connexion/arrivee/defi', asked, THERE);
  const cleAcces = authenticator.make(defi.body as OptionsCreation);
  const reply = await browser.ask('POST', '/api/connexion/arrivee', { ...asked, cleAcces }, THERE);
  return { browser, authenticator, reply, cleAcces };
}
