import type { Bibliographie } from '#shared/bibliographie';
import { abbreviates, parseNom } from '#shared/nom-form';
import { Refusal } from '#shared/refusals';
import { cleRegroupement } from '#shared/text';
import { applyFusionRules } from '#server/subjects/auteurs/domain/fusion-rules';
import { Refus } from '#server/subjects/auteurs/domain/refus';
import type { Reader } from '#server/plumbing/database/reader';
import { livreIdByCle } from '#server/subjects/livres/store/livres';
import { SourceUnreachable } from '#server/plumbing/upstream/answers';
import { recordsByAuteur } from '#server/plumbing/upstream/bnf/queries';
import type { Asker } from '#server/plumbing/upstream/queue';
import type { Sources } from '#server/plumbing/upstream/sources';
import { toOeuvres } from './oeuvres.ts';

export interface BibliographieContext {
  readonly database: Reader;
  readonly sources: Pick<Sources, 'bnf'>;
}

/**
 * An author's works from the national library, and which of them the household owns. A source that
 * fails on any page is refused as `SOURCE_INJOIGNABLE`: the list is whole, or there is none
 * (docs/rules.md § 26).
 */
export async function readBibliographie(
  { database, sources }: BibliographieContext,
  auteur: string,
  asker: Asker,
): Promise<Bibliographie> {
  const records = await recordsByAuteur(sources.bnf, auteur, asker).catch((error: unknown) => {
    throw error instanceof SourceUnreachable ? new Refusal('SOURCE_INJOIGNABLE') : error;
  });
  // The source pairs the words of a name across all the people of a record.
  const isAuteur = matchAuteur(
    auteur,
    records.flatMap(({ auteurs }) => auteurs),
  );
  const own = records.filter(({ auteurs }) => auteurs.some(isAuteur));
  return { auteur, oeuvres: toOeuvres(own, (cle) => livreIdByCle(database, cle)) };
}

/**
 * Tells which of the names found are the author asked for: those of the same grouping key, and the
 * full forms of an initials form where they are one person's. Never the other way: « Martin, J. » is
 * not taken for Jean Martin.
 */
function matchAuteur(asked: string, found: readonly string[]): (nom: string) => boolean {
  const form = parseNom(asked);
  const fullNoms = [...new Set(found)].filter((nom) => abbreviates(form, parseNom(nom)));
  const auteurs = [asked, ...fullNoms].map((nom, id) => ({ id, nom, fullForm: null }));
  const { successors } = applyFusionRules(auteurs, new Refus());
  const finalId = (id: number): number => successors.get(id) ?? id;
  const same = auteurs.filter(({ id }) => finalId(id) === finalId(0));
  const keys = new Set(same.map(({ nom }) => cleRegroupement(nom)));
  return (nom) => keys.has(cleRegroupement(nom));
}
