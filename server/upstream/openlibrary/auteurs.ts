import { LONGUEURS } from '#shared/fields';
import type { Source } from '#server/upstream/agent';
import { ordreDeLecture, sansRepetition } from '#server/upstream/noms';
import { SourceInjoignable } from '#server/upstream/silence';
import { borner } from '#server/upstream/texte';
import { estCle, lireDocument, liste, objet, texte, type Document } from './documents.ts';

/** An edition that names more people than a cover is a conference or a mistake. */
const AUTEURS_MAXIMUM = 12;

export interface Noms {
  readonly noms: readonly string[];
  /** False where the source fell silent before it had told them all. */
  readonly complet: boolean;
}

/** The names of an edition's authors, else of its work's: an edition can name none. */
export async function auteursDe(
  source: Source,
  edition: Document,
  signal: AbortSignal,
): Promise<Noms> {
  try {
    const propres = clesDe(edition);
    return await nomsDe(source, propres.length > 0 ? propres : await clesDuTravail(), signal);
  } catch (error) {
    if (!(error instanceof SourceInjoignable)) throw error;
    return { noms: [], complet: false };
  }

  async function clesDuTravail(): Promise<string[]> {
    const cle = objet(liste(edition['works'])[0])['key'];
    const travail = estCle(cle) ? await lireDocument(source, cle, signal) : null;
    return travail === null ? [] : clesDe(travail);
  }
}

/** Editions name their authors as `authors[].key`, works as `authors[].author.key`. */
function clesDe(document: Document): string[] {
  const cles = liste(document['authors']).map((element) => {
    const auteur = objet(element);
    return auteur['key'] ?? objet(auteur['author'])['key'];
  });
  return [...new Set(cles.filter(estCle))].slice(0, AUTEURS_MAXIMUM);
}

async function nomsDe(source: Source, cles: readonly string[], signal: AbortSignal): Promise<Noms> {
  const lus = await Promise.allSettled(cles.map((cle) => lireDocument(source, cle, signal)));
  const noms = lus.flatMap((lu) => (lu.status === 'fulfilled' ? nomDe(lu.value) : []));
  return { noms: sansRepetition(noms), complet: lus.every((lu) => lu.status === 'fulfilled') };
}

const nomDe = (auteur: Document | null): string[] => lireNom(texte(auteur?.['name']));

/** A name as one reads it aloud, none where there is nothing to read. */
export function lireNom(nom: string): string[] {
  const net = borner(nom, LONGUEURS.nom);
  return net === null ? [] : [ordreDeLecture(net)];
}
