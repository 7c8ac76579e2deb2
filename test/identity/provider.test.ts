import { expect, test, vi } from 'vitest';
import { openAgent } from '#server/plumbing/upstream/sources';
import { firstCode } from '#server/subjects/identity/invitations';
import { ProviderSignIn } from '#server/subjects/identity/provider';
import { CLIENT, visit } from '../support/oidc-provider.ts';
import { openNamed, THERE } from './passkey-support.ts';
import {
  begin,
  bind,
  finish,
  INTERRUPTED,
  LISTED,
  openFront,
  REDIRECT,
  REFUSED,
  signIn,
} from './provider-support.ts';
import { pass, whoReads, type Browser } from './support.ts';

test('a person who signs in at the provider reads as themselves', async () => {
  const front = await openFront(LISTED);
  expect((await front.home.device().ask('GET', '/api/connexion')).body).toMatchObject({
    fournisseur: 'la maison',
  });
  const { reply, browser } = await signIn(front, '1');
  expect(reply).toMatchObject({
    status: 200,
    body: { moi: { utilisateur: 'camille', nomComplet: 'Camille' }, retour: '/biblio/prets' },
  });
  expect(await whoReads(browser)).toBe('camille');
  expect(browser.attributes).toMatch(/HttpOnly.*Secure/);
  expect((await browser.ask('GET', '/api/sessions')).body).toMatchObject([{ estIci: true }]);
});

test('the provider is asked with PKCE, state and nonce', async () => {
  const { home } = await openFront(LISTED);
  const asked = Object.fromEntries((await begin(home.device())).searchParams);
  expect(asked).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    redirect_uri: REDIRECT,
    client_id: CLIENT.id,
    scope: 'openid profile email',
  });
  for (const name of ['state', 'nonce', 'code_challenge'])
    expect(asked[name]?.length, name).toBeGreaterThanOrEqual(43);
});

test('the first who comes by the provider manages', async () => {
  const front = await openFront(LISTED);
  const { browser } = await signIn(front, '1');
  await signIn(front, '2');
  expect((await browser.ask('GET', '/api/membres')).body).toMatchObject([
    { identifiant: 'camille', gere: true },
    { identifiant: 'luc', gere: false },
  ]);
});

test('the start’s link ends with a first member by provider', async () => {
  const front = await openFront(LISTED);
  const { home } = front;
  const jeton = home.context.database.write((tx) => firstCode(tx)) ?? '';
  await signIn(front, '1');
  const reply = await home.device().ask('POST', '/api/connexion/invitation', { jeton });
  expect(reply.status).toBe(410);
});

test('without a list only bound members can sign in', async () => {
  const front = await openFront();
  const camille = await front.home.member('Camille');
  await bind(front, camille, '1');
  expect((await signIn(front, '1')).reply.status).toBe(200);
  expect((await signIn(front, '2')).reply).toMatchObject(REFUSED);
  expect((await camille.ask('GET', '/api/membres')).body).toHaveLength(1);
});

test('everybody kept out gets one answer and no account', async () => {
  const front = await openFront({ OIDC_ALLOWED: 'groups=family,voisins' });
  const { browser } = await signIn(front, '1');
  await signIn(front, '2');
  await browser.ask('PUT', '/api/membres/2', { nom: 'Luc', gere: false, exclu: true });
  const answers = [];
  for (const sub of ['2', '3', '4']) answers.push((await signIn(front, sub)).reply);
  for (const { status, body } of answers) {
    expect(status).toBe(403);
    expect(body).toEqual(answers[0]?.body);
  }
  expect(answers[0]).toMatchObject(REFUSED);
  expect((await browser.ask('GET', '/api/membres')).body).toHaveLength(2);
});

test('an address names somebody only once it is verified', async () => {
  const front = await openFront({ OIDC_CLAIM: 'email', OIDC_ALLOWED: 'c@example.org' });
  expect((await signIn(front, '1')).reply).toMatchObject(REFUSED);
  front.provider.people.set('1', { email: 'c@example.org', email_verified: true });
  expect((await signIn(front, '1')).reply.status).toBe(200);
});

test('an answer that is replayed opens nothing', async () => {
  const front = await openFront(LISTED);
  const { browser, query } = await signIn(front, '1');
  expect(await finish(browser, query)).toMatchObject(INTERRUPTED);
  expect(await finish(front.home.device(), query)).toMatchObject(INTERRUPTED);
});

test('the response to another browser’s sign-in is refused', async () => {
  const { home, provider } = await openFront(LISTED);
  provider.signsIn = '1';
  const [victim, thief] = [home.device(), home.device()];
  const query = await visit((await begin(thief)).href);
  await begin(victim);
  expect(await finish(victim, query)).toMatchObject(INTERRUPTED);
  expect(await whoReads(victim)).toBe('CONNEXION_REQUISE');
  expect((await finish(thief, query)).status).toBe(200);
});

test('a late or altered answer of the provider is refused', async () => {
  const { home, provider } = await openFront(LISTED);
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
  const reply = [
    await changed(nothing, (query) => query.set('code', stolen ?? '')),
    await changed((url) => url.searchParams.set('nonce', 'x'.repeat(43)), nothing),
    await changed(nothing, (query) => query.set('iss', 'https://evil.example')),
    await changed(nothing, () => pass(11)),
  ];
  for (const one of reply) expect(one).toMatchObject(INTERRUPTED);
});

test('a token whose signature is not the provider’s is refused', async () => {
  const front = await openFront(LISTED);
  front.provider.isForged = true;
  expect((await signIn(front, '1')).reply).toMatchObject(INTERRUPTED);
});

test.each([
  [45, 200],
  [90, 401],
  [3_600, 401],
])('a token issued %i seconds ahead is answered %i', async (aheadS, status) => {
  const front = await openFront(LISTED);
  front.provider.aheadS = aheadS;
  expect((await signIn(front, '1')).reply.status).toBe(status);
});

test('a denial at the provider is reported', async () => {
  const front = await openFront(LISTED);
  expect((await signIn(front, null)).reply).toMatchObject(INTERRUPTED);
});

test('a silent provider is reported', async () => {
  const silent = await openFront(LISTED);
  await silent.provider.close();
  const body = { retour: '/' };
  const reply = await silent.home.device().ask('POST', '/api/connexion/fournisseur', body, THERE);
  expect(reply).toMatchObject({ status: 502, body: { code: 'FOURNISSEUR_INJOIGNABLE' } });
});

test('only a provider’s reason in words is shown', async () => {
  const connections = openAgent(1_000);
  vi.spyOn(connections, 'request').mockImplementation(() =>
    Promise.reject(new DOMException('Too late', 'TimeoutError')),
  );
  const named = { nom: 'la maison', scope: 'openid', claim: 'sub', letIn: null };
  const client = { clientId: CLIENT.id, clientSecret: CLIENT.secret };
  const issuer = new URL('https://provider.example');
  const visits = new ProviderSignIn({ issuer, ...named, ...client }, connections);
  const asked = { redirectUri: REDIRECT, retour: '/', membreId: null };
  const failure = () => visits.begin(asked).catch((error: unknown) => error);
  expect(await failure()).toMatchObject({ cause: { name: 'TimeoutError' } });
  expect(await failure()).toMatchObject({ cause: 'TimeoutError: Too late' });
});

const askFor = (browser: Browser, headers: Record<string, string>) =>
  browser.ask('POST', '/api/connexion/fournisseur', { retour: '/' }, headers);

test('without a provider there is no such sign-in', async () => {
  const home = await openNamed();
  expect((await askFor(home.device(), THERE)).status).toBe(404);
});

test('a page of another site signs nobody in by provider', async () => {
  const home = await openNamed();
  const foreign = { ...THERE, Origin: 'https://evil.example' };
  expect((await askFor(home.device(), foreign)).body).toMatchObject({ code: 'ORIGINE_REFUSEE' });
});
