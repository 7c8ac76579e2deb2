import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as connexion from '#shared/connexion';
import { found, Refusal } from '#shared/refusals';
import type { Context } from '#server/start/context';
import { mountPrepared } from '#server/plumbing/http/mount';
import { memberIdentity } from '../domain/credentials.ts';
import { openProvider } from '../domain/provider-fetch.ts';
import { memberOfKnown, requireLetIn } from '../domain/provider-member.ts';
import { ProviderSignIn, SIGN_IN_MS } from '../domain/provider.ts';
import { openSession } from '../domain/sessions.ts';
import { answerApart, deviceOf, isUnderHttps, setSession } from './guard.ts';
import { withAccounts } from './with-accounts.ts';

const COOKIE = 'rayonnage-fournisseur';

/** Signing in at a provider of OpenID Connect (docs/rules.md § 53). */
export function providerRoutes(
  app: FastifyInstance,
  { config, database }: Pick<Context, 'config' | 'database'>,
): void {
  const { provider, basePath } = config;
  const connections = openProvider(config.upstreamTimeout);
  app.addHook('onClose', () => connections.destroy());
  const signIn = provider && new ProviderSignIn(provider, connections);

  withAccounts(app, config, (scope) => {
    mountPrepared(scope, connexion.allerChezFournisseur, async ({ request, reply, body }) => {
      const { adresse, browser } = await found(signIn ?? undefined).begin(
        `${originOf(request)}${basePath}/connexion/retour`,
        body.retour,
      );
      keepBrowser(basePath, request, reply, browser);
      return { write: () => ({ adresse }) };
    });

    mountPrepared(scope, connexion.seConnecterParFournisseur, async (call) => {
      const { request, reply, body } = call;
      if (provider === null || signIn === null) throw new Refusal('INTROUVABLE');
      const device = deviceOf(request);
      const browser = request.cookies[COOKIE] ?? '';
      const { claims, retour } = await finish(request, () => signIn.finish(body.query, browser));
      requireLetIn(database, claims, provider);
      return {
        write: (tx) => {
          answerApart(request);
          const membre = found(memberOfKnown(tx, claims, provider));
          setSession(basePath, request, reply, openSession(tx, membre, device));
          return { moi: memberIdentity(membre), retour };
        },
      };
    });
  });
}

/** The origin of the page that asks, which the provider sends the browser back to if it knows it. */
function originOf({ headers }: FastifyRequest): string {
  if (URL.parse(headers.origin ?? '') === null) throw new Refusal('ORIGINE_REFUSEE');
  return headers.origin ?? '';
}

/** Whoever comes back has to be who went: another's answer signs nobody in. */
function keepBrowser(
  basePath: string,
  request: FastifyRequest,
  reply: FastifyReply,
  browser: string,
): void {
  reply.setCookie(COOKIE, browser, {
    ...{ path: `${basePath}/`, httpOnly: true, sameSite: 'lax', secure: isUnderHttps(request) },
    maxAge: SIGN_IN_MS / 1000,
  });
}

/** What does not fit is for the log to say, by its code: messages may hold what the provider sent. */
async function finish<T>({ log }: FastifyRequest, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const refusal = [error, causeOf(error)].find((one) => one instanceof Refusal);
    if (refusal !== undefined) throw refusal;
    log.warn(
      { code: textOf(error, 'code'), said: textOf(error, 'error') },
      'No sign-in by the provider',
    );
    throw new Refusal('CONNEXION_INTERROMPUE');
  }
}

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined);

const textOf = (error: unknown, name: string): string =>
  String(Reflect.get(Object(error), name) ?? '').slice(0, 100);
