import type { FastifyInstance } from 'fastify';
import { lireBibliographie, type Oeuvre } from '#shared/bibliographie';
import { abbreviates, parseNom } from '#shared/nom-form';
import { Refusal } from '#shared/refusals';
import { cleOeuvre, cleRegroupement, compareText, normaliser } from '#shared/text';
import type { Reader } from '#server/plumbing/database/connection';
import { queueOwnerOf } from '#server/plumbing/http/request';
import { mount } from '#server/plumbing/http/mount';
import { read } from '#server/plumbing/writes/operations';
import {
  SourceUnreachable,
  type SourceRecord,
  type Sources,
} from '#server/plumbing/upstream/sources';
import { recordsByAuteur } from '#server/plumbing/upstream/bnf';
import { applyFusionRules, Refus } from '#server/subjects/auteurs/merging';
import { livreIdByCle } from '#server/subjects/livres/read';

/**
 * Matches the names with the same grouping key, and the full forms if the asked name abbreviates one person. Not the
 * reverse: « Martin, J. » is not taken for Jean Martin.
 */
function matchAuteur(asked: string, found: readonly string[]): (nom: string) => boolean {
  const form = parseNom(asked);
  const fullNoms = [...new Set(found)].filter((nom) => abbreviates(form, parseNom(nom)));
  const auteurs = [asked, ...fullNoms].map((nom, id) => ({ id, nom, formePleine: null }));
  const { successors } = applyFusionRules(auteurs, new Refus());
  const finalId = (id: number): number => successors.get(id) ?? id;
  const same = auteurs.filter(({ id }) => finalId(id) === finalId(0));
  const keys = new Set(same.map(({ nom }) => cleRegroupement(nom)));
  return (nom) => keys.has(cleRegroupement(nom));
}

type Edition = Pick<SourceRecord, 'id' | 'titre' | 'auteurs' | 'annee' | 'isbns'>;

/**
 * One work for each work key, by year, then by title; those without a year last. A title without letter or digit is a
 * work of its own.
 *
 * @param findLivreId the household's book with a work key
 */
function toOeuvres(
  editions: readonly Edition[],
  findLivreId: (cle: string) => number | null,
): Oeuvre[] {
  // A record returned on two pages is one edition.
  const unique = new Map(editions.map((edition) => [edition.id ?? edition, edition]));
  const byCle = Map.groupBy(
    [...unique.values()].sort((a, b) => compareAnnees(a.annee, b.annee)),
    (edition) => cleOeuvre(edition.titre) || edition,
  );
  return [...byCle.values()]
    .flatMap(([first, ...others]): Oeuvre[] => {
      if (first === undefined) return [];
      const { titre, annee } = first;
      const cle = cleOeuvre(titre);
      const livreId = cle === '' ? null : findLivreId(cle);
      const isbn = [first, ...others].flatMap(({ isbns }) => isbns)[0] ?? null;
      const [possede, count] = [livreId !== null, 1 + others.length];
      return [{ titre, cleOeuvre: cle, annee, isbn, editions: count, possede, livreId }];
    })
    .sort(
      (a, b) =>
        compareAnnees(a.annee, b.annee) || compareText(normaliser(a.titre), normaliser(b.titre)),
    );
}

const compareAnnees = (a: number | null, b: number | null): number =>
  (a ?? Infinity) === (b ?? Infinity) ? 0 : (a ?? Infinity) - (b ?? Infinity);

export function routes(
  app: FastifyInstance,
  { database, sources }: { readonly database: Reader; readonly sources: Pick<Sources, 'bnf'> },
): void {
  mount(app, [
    read(lireBibliographie, {
      may: 'household',
      run: async (call) => {
        const { auteur } = call.query;
        const records = await recordsByAuteur(sources.bnf, auteur, queueOwnerOf(call)).catch(
          (error: unknown) => {
            throw error instanceof SourceUnreachable ? new Refusal('SOURCE_INJOIGNABLE') : error;
          },
        );
        // The source pairs the words of a name across all people of a record.
        const isAuteur = matchAuteur(
          auteur,
          records.flatMap(({ auteurs }) => auteurs),
        );
        const own = records.filter(({ auteurs }) => auteurs.some(isAuteur));
        return { auteur, oeuvres: toOeuvres(own, (cle) => livreIdByCle(database, cle)) };
      },
    }),
  ]);
}
