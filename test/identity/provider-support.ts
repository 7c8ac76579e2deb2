import { CLIENT, openProvider, visit, type OidcProvider } from '../support/oidc-provider.ts';
import { openNamed, THERE } from './passkey-support.ts';
import { PASSWORD, type Browser, type Home, type Reply } from './support.ts';

export const REDIRECT = 'https://bibliotheque.example.org/biblio/connexion/retour';

/** A household and its provider. */
export interface Front {
  readonly home: Home;
  readonly provider: OidcProvider;
}

/** A household with a base path, and a provider that knows Camille, Luc and a stranger. */
export async function openFront(settings: Record<string, string> = {}): Promise<Front> {
  const provider = await openProvider([REDIRECT]);
  const home = await openNamed({
    BASE_PATH: '/biblio',
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_NAME: 'la maison',
    ...settings,
  });
  const people = {
    1: {
      preferred_username: 'camille',
      name: 'Camille',
      groups: ['family'],
      email: 'c@example.org',
    },
    2: { preferred_username: 'luc', name: 'Luc', groups: ['amis', 'family'] },
    3: { preferred_username: 'stranger', groups: ['dehors'] },
    4: { groups: ['family'] },
  };
  for (const [sub, claims] of Object.entries(people)) provider.people.set(sub, claims);
  return { home, provider };
}

/** Begins a sign-in, and returns the provider's address. */
export async function begin(browser: Browser, more: object = {}): Promise<URL> {
  const body = { retour: '/biblio/prets', ...more };
  const reply = await browser.ask('POST', '/api/connexion/fournisseur', body, THERE);
  return new URL((reply.body as { adresse: string }).adresse);
}

/** Returns from the provider with its query. */
export const finish = (browser: Browser, query: string): Promise<Reply> =>
  browser.ask('POST', '/api/connexion/fournisseur/retour', { query }, THERE);

/** Signs in at the provider as this person. */
export async function signIn({ home, provider }: Front, sub: string | null) {
  provider.signsIn = sub;
  const browser = home.device();
  const query = await visit((await begin(browser)).href);
  return { browser, query, reply: await finish(browser, query) };
}

/** Binds a member to the person at the provider, as « Mon compte » does. */
export async function bind({ provider }: Front, browser: Browser, sub: string) {
  provider.signsIn = sub;
  const asked = { relier: true, motDePasse: PASSWORD };
  return finish(browser, await visit((await begin(browser, asked)).href));
}

export const LISTED = { OIDC_ALLOWED: 'camille,luc' };
export const INTERRUPTED = { status: 401, body: { code: 'CONNEXION_INTERROMPUE' } };
export const REFUSED = { status: 403, body: { code: 'ENTREE_REFUSEE' } };
