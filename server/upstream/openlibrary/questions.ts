import { CANDIDATS_TITRE_MAXIMUM } from '#shared/recherche';
import { LONGUEURS } from '#shared/fields';
import { lireIsbn } from '#shared/isbn';
import type { Source } from '#server/upstream/agent';
import type { Fiche } from '#server/upstream/fiche';
import { sansRepetition } from '#server/upstream/noms';
import { borner } from '#server/upstream/texte';
import { auteursDe, lireNom } from './auteurs.ts';
import { adresse, lireDocument, lireJson, liste, objet, texte, textes } from './documents.ts';
import { isbnsDe, lireEdition, titreEntier } from './edition.ts';

/** The edition that bears an ISBN; not `complet` where the source fell silent over its authors. */
export interface EditionTrouvee {
  readonly fiche: Fiche | null;
  readonly complet: boolean;
}

const RIEN: EditionTrouvee = { fiche: null, complet: true };

/**
 * The edition of an ISBN, with its authors or its work's. One that names other numbers only is
 * left out; one that names none is what the site gave for the number. Throws `SourceInjoignable`.
 */
export async function parIsbn(
  openLibrary: Source,
  isbn13: string,
  signal: AbortSignal,
): Promise<EditionTrouvee> {
  const edition = await lireDocument(openLibrary, `/isbn/${isbn13}`, signal);
  if (edition === null || titreEntier(edition) === null) return RIEN;
  const isbns = isbnsDe(edition);
  if (isbns.length > 0 && !isbns.includes(isbn13)) return RIEN;
  const { noms, complet } = await auteursDe(openLibrary, edition, signal);
  return { fiche: lireEdition(edition, noms), complet };
}

/**
 * Works whose title has these words. A work has many editions: the year is the first one's, and
 * publisher and page count are nobody's. Throws `SourceInjoignable`.
 */
export async function parTitre(
  openLibrary: Source,
  titre: string,
  auteur: string | null,
  signal: AbortSignal,
): Promise<Fiche[]> {
  const url = adresse(openLibrary, '/search.json');
  url.searchParams.set('title', titre);
  if (auteur !== null) url.searchParams.set('author', auteur);
  url.searchParams.set('fields', 'key,title,subtitle,author_name,first_publish_year,isbn');
  url.searchParams.set('limit', String(CANDIDATS_TITRE_MAXIMUM));
  const reponse = await lireJson(openLibrary, url, signal);
  return liste(reponse?.['docs']).flatMap((travail) => lireTravail(travail) ?? []);
}

function lireTravail(valeur: unknown): Fiche | null {
  const travail = objet(valeur);
  const titre = titreEntier(travail);
  if (titre === null) return null;
  return {
    id: borner(texte(travail['key']), LONGUEURS.code),
    titre,
    auteurs: sansRepetition(textes(travail['author_name']).flatMap(lireNom)),
    editeur: null,
    annee: annee(travail['first_publish_year']),
    nombrePages: null,
    isbns: textes(travail['isbn']).flatMap((code) => lireIsbn(code) ?? []),
  };
}

const annee = (valeur: unknown): number | null =>
  Number.isInteger(valeur) && Math.abs(Number(valeur)) <= 3000 ? Number(valeur) : null;
