import type { Body, Endpoint, Params, Query, Response as Reponse } from '#shared/endpoint';
import { ApiError } from './error.ts';
import { lien } from './lien.ts';
import { selon } from '../selon.ts';
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

/** The same, whatever the operation. */
interface Requete extends Options {
  readonly params?: object | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
}

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
    const corps = endpoint.response && (await lireJson(reponse));
    const revision = reponse.headers.get('X-Revision');
    return selon<Echange<E>>({ corps, revision: revision === null ? null : Number(revision) });
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

function envoyer(endpoint: Endpoint, demande: Requete): Promise<Response> {
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

function adresse({ path }: Endpoint, { params, query }: Requete): string {
  const valeurs = new Map<string, unknown>(Object.entries(params ?? {}));
  const chemin = path.replace(/:(\w+)/g, (_, nom: string) =>
    encodeURIComponent(texte(valeurs.get(nom))),
  );
  const criteres = new URLSearchParams();
  const donnes: [string, unknown][] = Object.entries(query ?? {});
  for (const [nom, valeur] of donnes) if (valeur !== undefined) criteres.set(nom, texte(valeur));
  return criteres.size === 0 ? chemin : `${chemin}?${criteres}`;
}

/** Numbers, flags and words as an address says them. */
const texte = (valeur: unknown): string => String(valeur);

/** A page where JSON was due comes from something in between: the server itself is out of reach. */
async function lireJson(reponse: Response): Promise<unknown> {
  if (!estJson(reponse)) throw erreurHorsLigne();
  return reponse.json();
}

const estJson = (reponse: Response): boolean =>
  reponse.headers.get('content-type')?.includes('json') ?? false;
