import { afterEach, expect, test, vi } from 'vitest';
import { firstCode } from '#server/subjects/identity/domain/invitations';
import { CLIENT, openProvider, visit, type OidcProvider } from '../support/oidc-provider.ts';
import { openNamed, THERE } from './passkey-support.ts';
import { whoReads, type Browser, type Home, type Told } from './support.ts';

afterEach(() => vi.useRealTimers());

const REDIRECT = 'https://bibliotheque.example.org/biblio/connexion/retour';

interface Front {
  readonly home: Home;
  readonly provider: OidcProvider;
}

/** A house below a path, and a provider that knows Camille, Luc and a stranger. */
async function open(settings: Record<string, string> = {}): Promise<Front> {
  const provider = await openProvider([REDIRECT]);
  const home = await openNamed({
    ...{ BASE_PATH: '/biblio', OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: CLIENT.id },
    ...{ OIDC_CLIENT_SECRET: CLIENT.secret, OIDC_NAME: 'la maison', ...settings },
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

async function begin(browser: Browser, headers: Record<string, string> = THERE): Promise<URL> {
  const body = { retour: '/biblio/prets' };
  const told = await browser.ask('POST', '/api/connexion/fournisseur', body, headers);
  return new URL((told.body as { adresse: string }).adresse);
}

const finish = (browser: Browser, query: string): Promise<Told> =>
  browser.ask('POST', '/api/connexion/fournisseur/retour', { query }, THERE);

/** Goes to the provider and comes back as whoever signs in there. */
async function signIn({ home, provider }: Front, sub: string | null) {
  provider.signsIn = sub;
  const browser = home.device();
  const query = await visit((await begin(browser)).href);
  return { browser, query, told: await finish(browser, query) };
}

const LISTED = { OIDC_ALLOWED: 'camille,luc' };
const INTERRUPTED = { status: 401, body: { code: 'CONNEXION_INTERROMPUE' } };
const REFUSED = { status: 403, body: { code: 'ENTREE_REFUSEE' } };

test('who signs in at the provider reads in their own name, as by any sign-in', async () => {
  const front = await open(LISTED);
  expect((await front.home.device().ask('GET', '/api/connexion')).body).toMatchObject({
    fournisseur: 'la maison',
  });
  const { told, browser } = await signIn(front, '1');
  expect(told).toMatchObject({
    status: 200,
    body: { moi: { utilisateur: 'camille', nomComplet: 'Camille' }, retour: '/biblio/prets' },
  });
  expect(await whoReads(browser)).toBe('camille');
  expect(browser.attributes).toMatch(/HttpOnly.*Secure/);
  expect((await browser.ask('GET', '/api/sessions')).body).toMatchObject([{ estIci: true }]);
});

test('it is asked for a code, with PKCE, a state and a nonce', async () => {
  const { home } = await open(LISTED);
  const asked = Object.fromEntries((await begin(home.device())).searchParams);
  expect(asked).toMatchObject({
    ...{ response_type: 'code', code_challenge_method: 'S256', redirect_uri: REDIRECT },
    ...{ client_id: CLIENT.id, scope: 'openid profile email' },
  });
  for (const name of ['state', 'nonce', 'code_challenge'])
    expect(asked[name]?.length, name).toBeGreaterThanOrEqual(43);
});

test('the first who comes manages, and the link of the start makes no other first member', async () => {
  const front = await open(LISTED);
  const { home } = front;
  const jeton = home.context.database.write((tx) => firstCode(tx)) ?? '';
  const { browser } = await signIn(front, '1');
  await signIn(front, '2');
  expect((await browser.ask('GET', '/api/membres')).body).toMatchObject([
    { identifiant: 'camille', gere: true },
    { identifiant: 'luc', gere: false },
  ]);
  const told = await home.device().ask('POST', '/api/connexion/invitation', { jeton });
  expect(told.status).toBe(410);
});

test('without a list members alone come in, by their identifier', async () => {
  const front = await open();
  const camille = await front.home.member('Camille');
  expect((await signIn(front, '1')).told.status).toBe(200);
  expect((await signIn(front, '2')).told).toMatchObject(REFUSED);
  expect((await camille.ask('GET', '/api/membres')).body).toHaveLength(1);
});

test('who is not on the list, is nobody or is shut out gets one answer, and nothing is made', async () => {
  const front = await open({ OIDC_ALLOWED: 'groups=family,voisins' });
  const { browser } = await signIn(front, '1');
  await signIn(front, '2');
  await browser.ask('PUT', '/api/membres/2', { nom: 'Luc', gere: false, exclu: true });
  const answers = [];
  for (const sub of ['2', '3', '4']) answers.push((await signIn(front, sub)).told);
  for (const { status, body } of answers) {
    expect(status).toBe(403);
    expect(body).toEqual(answers[0]?.body);
  }
  expect(answers[0]).toMatchObject(REFUSED);
  expect((await browser.ask('GET', '/api/membres')).body).toHaveLength(2);
});

test('an address of mail names somebody only once it is verified', async () => {
  const front = await open({ OIDC_CLAIM: 'email', OIDC_ALLOWED: 'c@example.org' });
  expect((await signIn(front, '1')).told).toMatchObject(REFUSED);
  front.provider.people.set('1', { email: 'c@example.org', email_verified: true });
  expect((await signIn(front, '1')).told.status).toBe(200);
});

test('an answer that is replayed opens nothing, in that browser or in another', async () => {
  const front = await open(LISTED);
  const { browser, query } = await signIn(front, '1');
  expect(await finish(browser, query)).toMatchObject(INTERRUPTED);
  expect(await finish(front.home.device(), query)).toMatchObject(INTERRUPTED);
});

test('the answer of another browser’s sign-in signs nobody in', async () => {
  const { home, provider } = await open(LISTED);
  provider.signsIn = '1';
  const [victim, thief] = [home.device(), home.device()];
  const query = await visit((await begin(thief)).href);
  await begin(victim);
  expect(await finish(victim, query)).toMatchObject(INTERRUPTED);
  expect(await whoReads(victim)).toBe('CONNEXION_REQUISE');
  expect((await finish(thief, query)).status).toBe(200);
});

test('a code of another sign-in, another nonce, another issuer and a late answer are refused', async () => {
  const { home, provider } = await open(LISTED);
  provider.signsIn = '1';
  const changed = async (
    ask: (url: URL) => void,
    answer: (query: URLSearchParams) => void | Promise<void>,
  ) => {
    const browser = home.device();
    const url = await begin(browser);
    ask(url);
    const query = new URLSearchParams(await visit(url.href));
    await answer(query);
    return finish(browser, query.toString());
  };
  const nothing = () => undefined;
  const stolen = new URLSearchParams(await visit((await begin(home.device())).href)).get('code');
  const told = [
    await changed(nothing, (query) => query.set('code', stolen ?? '')),
    await changed((url) => url.searchParams.set('nonce', 'x'.repeat(43)), nothing),
    await changed(nothing, (query) => query.set('iss', 'https://evil.example')),
    await changed(nothing, () => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * 60_000 });
    }),
  ];
  for (const one of told) expect(one).toMatchObject(INTERRUPTED);
});

test('a token whose signature is not the provider’s is refused', async () => {
  const front = await open(LISTED);
  front.provider.isForged = true;
  expect((await signIn(front, '1')).told).toMatchObject(INTERRUPTED);
});

test('who refuses at the provider, and a provider that is silent, are told', async () => {
  const front = await open(LISTED);
  expect((await signIn(front, null)).told).toMatchObject(INTERRUPTED);
  const silent = await open(LISTED);
  await silent.provider.close();
  const body = { retour: '/' };
  const told = await silent.home.device().ask('POST', '/api/connexion/fournisseur', body, THERE);
  expect(told).toMatchObject({ status: 502, body: { code: 'FOURNISSEUR_INJOIGNABLE' } });
});

test('without a provider, and for a page of another site, there is no such sign-in', async () => {
  const home = await openNamed();
  const body = { retour: '/' };
  const ask = (headers: Record<string, string>) =>
    home.device().ask('POST', '/api/connexion/fournisseur', body, headers);
  expect((await ask(THERE)).status).toBe(404);
  const foreign = { ...THERE, Origin: 'https://evil.example' };
  expect((await ask(foreign)).body).toMatchObject({ code: 'ORIGINE_REFUSEE' });
});
