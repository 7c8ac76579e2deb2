import { issnDuCode977 } from '#shared/issn';
import { lireIsbn } from '#shared/isbn';
import {
  CANDIDATS_MAXIMUM,
  CANDIDATS_TITRE_MAXIMUM,
  type RechercheIsbn,
  type RechercheLivre,
  type RechercheRevue,
  type RechercheTitre,
} from '#shared/recherche';
import { Refusal } from '#shared/refusals';
import * as bnf from '#server/upstream/bnf/questions';
import * as openLibrary from '#server/upstream/openlibrary/questions';
import type { Sources } from '#server/upstream/sources';
import { candidat } from './domain/candidat.ts';
import { Recolte } from './domain/recolte.ts';

/** What a question is asked with. */
export interface Demande {
  readonly sources: Sources;
  /** The site of the covers, as its setting says. */
  readonly couvertures: string;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/**
 * What the catalogues know of a code: a book, or the periodical of a 977 code, which is recognised
 * before any ISBN check. Refuses `ISBN_INVALIDE`; silent sources are no refusal.
 *
 * @param revueDe the household's periodical with an ISSN in the dashed form
 */
export async function rechercherCode(
  demande: Demande,
  code: string,
  revueDe: (issn: string) => number | null,
): Promise<RechercheIsbn> {
  const revue = issnDuCode977(code);
  if (revue !== null) {
    if (revue.issn === null) throw new Refusal('ISBN_INVALIDE');
    return rechercherRevue(demande, revue.issn, revueDe);
  }
  const isbn = lireIsbn(code);
  if (isbn === null) throw new Refusal('ISBN_INVALIDE');
  return rechercherLivre(demande, isbn);
}

/**
 * The steps in order and one after the other, until five records are at hand; a step that fails is
 * told, and the next one asked (contract.md « ISBN lookup »).
 */
async function rechercherLivre(demande: Demande, isbn: string): Promise<RechercheLivre> {
  const { sources, signal, couvertures } = demande;
  const recolte = new Recolte(CANDIDATS_MAXIMUM, signal);
  await recolte.poser('bnf', () => bnf.parIsbn(sources.bnf, isbn, 'isbn13', signal));
  if (isbn.startsWith('978')) {
    await recolte.poser('bnf', () => bnf.parIsbn(sources.bnf, isbn, 'isbn10', signal));
  }
  await recolte.poser('openlibrary', async (silence) => {
    const { fiche, complet } = await openLibrary.parIsbn(sources.openLibrary, isbn, signal);
    if (!complet) silence();
    return fiche === null ? [] : [fiche];
  });
  const candidats = recolte.fiches.map(({ source, fiche }) =>
    candidat(source, fiche, isbn, couvertures),
  );
  return { type: 'livre', isbn, candidats, sources: recolte.sources };
}

async function rechercherRevue(
  { sources, signal }: Demande,
  issn: string,
  revueDe: (issn: string) => number | null,
): Promise<RechercheRevue> {
  const recolte = new Recolte(1, signal);
  await recolte.poser('bnf', () => bnf.parIssn(sources.bnf, issn, signal));
  const titre = recolte.fiches[0]?.fiche.titre ?? null;
  return { type: 'revue', issn, titre, revueId: revueDe(issn), sources: recolte.sources };
}

/**
 * Books by title: the BnF's, and Open Library's search where the BnF has none or is silent
 * (contract.md « recherche-titre »).
 */
export async function rechercherTitre(
  { sources, signal, couvertures }: Demande,
  titre: string,
  auteur: string | null,
): Promise<RechercheTitre> {
  const recolte = new Recolte(CANDIDATS_TITRE_MAXIMUM, signal);
  await recolte.poser('bnf', () => bnf.parTitre(sources.bnf, titre, auteur, signal));
  if (recolte.fiches.length === 0) {
    await recolte.poser('openlibrary', () =>
      openLibrary.parTitre(sources.openLibrary, titre, auteur, signal),
    );
  }
  const candidats = recolte.fiches.map(({ source, fiche }) =>
    candidat(source, fiche, fiche.isbns[0] ?? null, couvertures),
  );
  return { candidats, sources: recolte.sources };
}
