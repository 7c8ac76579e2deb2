import type { Source } from '#server/upstream/agent';
import { SourceInjoignable } from '#server/upstream/silence';

/** A record of Open Library, as unknown as any JSON. */
export type Document = Readonly<Record<string, unknown>>;

const CLE = /^\/(?:books|works|authors)\/OL\d{1,12}[AMW]$/u;
const FUSIONS_MAXIMUM = 5;

/** The keys under which a record names others; anything else in their place leads nowhere. */
export const estCle = (valeur: unknown): valeur is string =>
  typeof valeur === 'string' && CLE.test(valeur);

/**
 * The record at a path of the site, `null` where there is none or it was deleted. A merged record
 * answers 200 and says where it went, in chains: they are followed, with a bound. Throws
 * `SourceInjoignable` when the source is silent or makes no sense.
 */
export async function lireDocument(
  source: Source,
  chemin: string,
  signal: AbortSignal,
): Promise<Document | null> {
  let suite = chemin;
  for (let fusions = 0; fusions <= FUSIONS_MAXIMUM; fusions++) {
    const document = await lireJson(source, adresse(source, `${suite}.json`), signal);
    const genre = objet(document?.['type'])['key'];
    if (document === null || genre === '/type/delete') return null;
    if (genre !== '/type/redirect') return document;
    if (!estCle(document['location'])) throw new SourceInjoignable('A record merged into nothing');
    suite = document['location'];
  }
  throw new SourceInjoignable('Records merged in a circle');
}

/** An address of the site, below whatever path its setting has. */
export const adresse = (source: Source, chemin: string): URL =>
  new URL(source.base.href.replace(/\/$/u, '') + chemin);

/** The JSON object at an address, `null` where there is none. */
export async function lireJson(
  source: Source,
  url: URL,
  signal: AbortSignal,
): Promise<Document | null> {
  const texte = await source.lire(url, signal);
  if (texte === null) return null;
  try {
    const lu: unknown = JSON.parse(texte);
    if (estObjet(lu)) return lu;
  } catch {
    // Falls through: HTML in place of JSON and a list in place of a record are one to us.
  }
  throw new SourceInjoignable('No record of Open Library');
}

export const estObjet = (valeur: unknown): valeur is Document =>
  typeof valeur === 'object' && valeur !== null && !Array.isArray(valeur);

export const objet = (valeur: unknown): Document => (estObjet(valeur) ? valeur : {});

export const liste = (valeur: unknown): readonly unknown[] => (Array.isArray(valeur) ? valeur : []);

export const texte = (valeur: unknown): string => (typeof valeur === 'string' ? valeur : '');

export const textes = (valeur: unknown): string[] =>
  liste(valeur).filter((element) => typeof element === 'string');
