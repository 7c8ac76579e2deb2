import type * as Client from 'openid-client';
import { Refusal } from '#shared/refusals';
import type { Provider } from '#server/plumbing/http/provider';
import type { Connections } from '#server/plumbing/upstream/http';
import { wanted, type Claims } from './claims.ts';
import { fetchBy } from './provider-fetch.ts';
import { drawToken, hashOf } from './tokens.ts';

/** How long one may take to sign in at the provider. */
export const SIGN_IN_MS = 10 * 60_000;
const MAX_KEPT = 2_000;

/** A sign-in that was begun: the secrets that its end has to know. */
interface Begun {
  readonly verifier: string;
  readonly nonce: string;
  readonly redirectUri: string;
  /** Where the person came from. */
  readonly retour: string;
  /** The member whom whoever signs in is to be bound to; `null` for a sign-in. */
  readonly membreId: number | null;
  /** The hash of what the browser's cookie says. */
  readonly browser: Buffer;
  readonly endMs: number;
}

/**
 * Sign-ins at a provider of OpenID Connect, by the code flow with PKCE, state and nonce. A state serves once, in the
 * browser that began, for ten minutes.
 */
export class ProviderSignIn {
  readonly #provider: Provider;
  readonly #connections: Connections;
  readonly #begun = new Map<string, Begun>();
  #configuration: Promise<Client.Configuration> | null = null;

  constructor(provider: Provider, connections: Connections) {
    this.#provider = provider;
    this.#connections = connections;
  }

  /**
   * Where the browser has to go, and what its cookie has to say when it comes back. Throws `FOURNISSEUR_INJOIGNABLE`.
   *
   * @param asked `redirectUri` is where the provider sends it back
   */
  async begin(
    asked: Pick<Begun, 'redirectUri' | 'retour' | 'membreId'>,
  ): Promise<{ readonly adresse: string; readonly browser: string }> {
    const client = await import('openid-client');
    const configuration = await this.#discovered(client);
    const [state, nonce, browser] = [
      drawToken('session'),
      drawToken('session'),
      drawToken('session'),
    ];
    const verifier = client.randomPKCECodeVerifier();
    const adresse = client.buildAuthorizationUrl(configuration, {
      ...{ redirect_uri: asked.redirectUri, scope: this.#provider.scope, state, nonce },
      ...{ response_type: 'code', code_challenge_method: 'S256' },
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      // On a shared device somebody else may be signed in there still, who would be bound unasked.
      ...(asked.membreId !== null && { prompt: 'login' }),
    });
    const endMs = Date.now() + SIGN_IN_MS;
    this.#keep(state, { ...asked, verifier, nonce, browser: hashOf(browser), endMs });
    return { adresse: adresse.href, browser };
  }

  /**
   * What the provider says of who has signed in. Throws `CONNEXION_INTERROMPUE`, whatever does not fit, and
   * `FOURNISSEUR_INJOIGNABLE`.
   *
   * @param query the query with which the browser was sent back
   * @param browser what its cookie says
   */
  async finish(
    query: string,
    browser: string,
  ): Promise<{ readonly claims: Claims } & Pick<Begun, 'retour' | 'membreId'>> {
    const state = new URLSearchParams(query).get('state') ?? '';
    const begun = this.#take(state, browser);
    const client = await import('openid-client');
    const configuration = await this.#discovered(client);
    const url = new URL(begun.redirectUri);
    url.search = query;
    const tokens = await client.authorizationCodeGrant(configuration, url, {
      ...{ pkceCodeVerifier: begun.verifier, expectedState: state },
      ...{ expectedNonce: begun.nonce, idTokenExpected: true },
    });
    const said: Claims = tokens.claims() ?? {};
    return {
      claims: await this.#complete(client, said, tokens.access_token),
      ...{ retour: begun.retour, membreId: begun.membreId },
    };
  }

  /** Where a browser ends its sign-in at the provider, too; `null` where it tells of no such place, or nothing at all. */
  async endAddress(): Promise<string | null> {
    const client = await import('openid-client');
    const configuration = await this.#discovered(client).catch(() => null);
    return configuration?.serverMetadata().end_session_endpoint === undefined
      ? null
      : client.buildEndSessionUrl(configuration).href;
  }

  /** Some providers say little in the token, and the rest to who asks. */
  async #complete(client: typeof Client, said: Claims, accessToken: string): Promise<Claims> {
    const configuration = await this.#discovered(client);
    const isWhole = [...wanted(this.#provider), 'name'].every((claim) => claim in said);
    if (isWhole || configuration.serverMetadata().userinfo_endpoint === undefined) return said;
    const more = await client.fetchUserInfo(configuration, accessToken, String(said['sub']));
    return { ...more, ...said };
  }

  /** What the provider tells of itself, asked once; asked again where that failed. */
  async #discovered(client: typeof Client): Promise<Client.Configuration> {
    const { issuer, clientId, clientSecret } = this.#provider;
    this.#configuration ??= client.discovery(issuer, clientId, clientSecret, undefined, {
      [client.customFetch]: fetchBy(this.#connections),
      // Signatures are looked at, too, although the token comes from the provider itself.
      execute: [
        client.enableNonRepudiationChecks,
        // eslint-disable-next-line @typescript-eslint/no-deprecated -- only ever on this machine, as the settings see to
        ...(issuer.protocol === 'http:' ? [client.allowInsecureRequests] : []),
      ],
    });
    try {
      return await this.#configuration;
    } catch {
      this.#configuration = null;
      throw new Refusal('FOURNISSEUR_INJOIGNABLE');
    }
  }

  #keep(state: string, begun: Begun): void {
    this.#begun.set(state, begun);
    const [oldest] = this.#begun.keys();
    if (this.#begun.size > MAX_KEPT && oldest !== undefined) this.#begun.delete(oldest);
  }

  #take(state: string, browser: string): Begun {
    const begun = this.#begun.get(state);
    const isTheirs = begun?.browser.equals(hashOf(browser)) === true;
    if (isTheirs) this.#begun.delete(state);
    if (begun === undefined || !isTheirs || Date.now() > begun.endMs)
      throw new Refusal('CONNEXION_INTERROMPUE');
    return begun;
  }
}
