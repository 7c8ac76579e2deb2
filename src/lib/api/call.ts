import type { Body, Endpoint, Params, Query, Response as Reponse } from '#shared/endpoint';
import { ApiError } from './error.ts';
import { lien } from './lien.ts';
import { erreurDe, erreurHorsLigne, erreurSessionExpiree } from './reading.ts';

/** How long an answer may take before the server counts as out of reach, in milliseconds. */
const DELAI = 15_000;

interface Options {
  /** Gives the exchange up; the call then throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** How long to wait for the whole answer, in milliseconds, where 15 seconds do not fit. */
  readonly delai?: number;
}

type Champ<K extends string, V> = V extends undefined
  ? Readonly<Partial<Record<K, undefined>>>
  : Readonly<Record<K, V>>;

/** What an operation needs: its parameters and body where it declares them. */
export type Demande<E extends Endpoint> = Champ<'params', Params<E>> &
  Champ<'body', Body<E>> & { readonly query?: Query<E> } & Options;

/** An answer, and for a write the revision at which a replica shows it. */
export interface Echange<E extends Endpoint> {
  readonly corps: Reponse<E>;
  readonly revision: number | null;
}

/** Asks the server and gives the answer's body; throws an `ApiError` where there is none. */
export async function call<E extends Endpoint>(
  endpoint: E,
  demande: Demande<E>,
): Promise<Reponse<E>> {
  return (await echanger(endpoint, demande)).corps;
}

/**
 * Asks the server. A write is refused before the network unless the link is known to be good, so
 * that nothing is half sent; every failure is an `ApiError`, and tells the state of the link.
 */
export async function echanger<E extends Endpoint>(
  endpoint: E,
  demande: Demande<E>,
): Promise<Echange<E>> {
  if (endpoint.method !== 'GET') exigerLeLien();
  try {
    const reponse = await envoyer(endpoint, demande);
    if (reponse.type === 'opaqueredirect' || !reponse.ok) throw await erreurDe(reponse);
    const corps: Reponse<E> = endpoint.response && (await lireJson(reponse));
    const revision = reponse.headers.get('X-Revision');
    return { corps, revision: revision === null ? null : Number(revision) };
  } catch (erreur) {
    demande.signal?.throwIfAborted();
    const connue = erreur instanceof ApiError ? erreur : erreurHorsLigne();
    if (connue.kind === 'horsLigne' || connue.kind === 'sessionExpiree') lien.etat = connue.kind;
    throw connue;
  }
}

function exigerLeLien(): void {
  if (lien.etat === 'horsLigne') throw erreurHorsLigne();
  if (lien.etat === 'sessionExpiree') throw erreurSessionExpiree();
}

function envoyer<E extends Endpoint>(endpoint: E, demande: Demande<E>): Promise<Response> {
  const { body, signal, delai = DELAI } = demande;
  const limite = AbortSignal.timeout(delai);
  return fetch(adresse(endpoint, demande), {
    method: endpoint.method,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ? AbortSignal.any([signal, limite]) : limite,
    // A sign-on layer answers a redirect to its own page, which is no answer to follow.
    redirect: 'manual',
    cache: 'no-store',
  });
}

function adresse<E extends Endpoint>({ path }: E, { params, query }: Demande<E>): string {
  const valeurs = new Map<string, unknown>(Object.entries(params ?? {}));
  const chemin = path.replace(/:(\w+)/g, (_, nom: string) =>
    encodeURIComponent(String(valeurs.get(nom))),
  );
  const criteres = new URLSearchParams();
  for (const [nom, valeur] of Object.entries(query ?? {}))
    if (valeur !== undefined) criteres.set(nom, String(valeur));
  return criteres.size === 0 ? chemin : `${chemin}?${criteres}`;
}

/** A page where JSON was due comes from something in between: the server itself is out of reach. */
async function lireJson(reponse: Response) {
  if (!estJson(reponse)) throw erreurHorsLigne();
  return reponse.json();
}

const estJson = (reponse: Response): boolean =>
  reponse.headers.get('content-type')?.includes('json') ?? false;
