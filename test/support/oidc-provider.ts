import { createPrivateKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { onTestFinished, vi } from 'vitest';

export const CLIENT = { id: 'rayonnage', secret: 'un secret que nul ne devine' };

/** An OpenID Connect provider on loopback; the person named by `signsIn` is signed in without a form. */
export interface OidcProvider {
  readonly issuer: string;
  /** The claims of each person, by `sub`. */
  readonly people: Map<string, Record<string, unknown>>;
  /** The person at the browser; `null` denies. */
  signsIn: string | null;
  /** Publishes other keys than those that sign, as an attacker's provider would. */
  isForged: boolean;
  /** By how many seconds the tokens' time of issue is in the future. */
  aheadS: number;
  close(): Promise<void>;
}

const jwk = (kid: string) => ({
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
  kid,
  use: 'sig',
  alg: 'RS256',
});

/** @param redirectUris the allowed redirect addresses */
export async function openProvider(redirectUris: readonly string[]): Promise<OidcProvider> {
  // The provider warns about its missing HTTPS.
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.spyOn(console, 'info').mockImplementation(() => undefined);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const people = new Map<string, Record<string, unknown>>();
  const key = jwk('one');
  const { n, e } = jwk('two');
  const forged = JSON.stringify({
    keys: [{ kty: 'RSA', n, e, kid: 'one', use: 'sig', alg: 'RS256' }],
  });
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [...redirectUris],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: ['a key of a test'] },
    claims: {
      openid: ['sub'],
      profile: ['name', 'preferred_username', 'groups'],
      email: ['email', 'email_verified'],
    },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, sub) => ({
      accountId: sub,
      claims: () => ({ sub, ...people.get(sub) }),
    }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  });
  const here: OidcProvider = {
    issuer,
    people,
    signsIn: null,
    isForged: false,
    aheadS: 0,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  const answer = provider.callback();
  const privateKey = createPrivateKey({ key, format: 'jwk' });
  server.on('request', (request, response) => {
    const { url = '' } = request;
    if (here.isForged && url === '/jwks')
      return void response.setHeader('content-type', 'application/json').end(forged);
    if (url === '/token' && here.aheadS !== 0) shiftTokens(response, privateKey, here.aheadS);
    if (!url.startsWith('/interaction/')) return void answer(request, response);
    const login = here.signsIn === null ? null : { login: { accountId: here.signsIn } };
    const result = login ?? { error: 'access_denied' };
    return void provider.interactionFinished(request, response, result);
  });
  onTestFinished(() => here.close());
  return here;
}

/** Moves the time of issue of a response's token by some seconds, and signs it again. */
function shiftTokens(response: ServerResponse, key: KeyObject, seconds: number): void {
  const end = response.end.bind(response);
  response.end = (body: unknown) => {
    const answer = JSON.parse(String(body)) as { id_token: string };
    const [head = '', claims = ''] = answer.id_token.split('.');
    const payload = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { iat: number };
    const later = Buffer.from(JSON.stringify({ ...payload, iat: payload.iat + seconds }));
    const text = `${head}.${later.toString('base64url')}`;
    const signature = sign('RSA-SHA256', Buffer.from(text), key).toString('base64url');
    const shifted = JSON.stringify({ ...answer, id_token: `${text}.${signature}` });
    response.setHeader('content-length', Buffer.byteLength(shifted));
    return end(shifted);
  };
}

/** Follows the provider's redirects as a browser, and returns the query of the final one. */
export async function visit(adresse: string): Promise<string> {
  const cookies = new Map<string, string>();
  const { origin } = new URL(adresse);
  let url = new URL(adresse);
  while (url.origin === origin) {
    const headers = { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      httpRequest(url, { headers }, resolve).on('error', reject).end();
    });
    for (const line of response.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    response.resume();
    const { location } = response.headers;
    if (location === undefined) throw new Error(`${url.pathname} is ${response.statusCode}`);
    url = new URL(location, url);
  }
  return url.search.slice(1);
}
