import { cleRegroupement, cleOeuvre, normaliser } from '#shared/text';
import type { SourceRecord } from '#server/plumbing/upstream/answers';

/** What a lookup by title asks for. */
interface AskedTitre {
  readonly titre: string;
  readonly auteur: string | null;
}

/**
 * The records by how well they match, those that match alike in the source's order: the author asked
 * for, then the very title, the same work, a title that begins alike (docs/rules.md § 23).
 */
export function bestFirst<R extends SourceRecord>(records: readonly R[], asked: AskedTitre): R[] {
  return records
    .map((record) => ({ record, score: scoreOf(record, asked) }))
    .sort((a, b) => b.score - a.score)
    .map(({ record }) => record);
}

function scoreOf({ titre, auteurs }: SourceRecord, asked: AskedTitre): number {
  const { auteur } = asked;
  const isAuteur =
    auteur !== null && auteurs.some((nom) => cleRegroupement(nom) === cleRegroupement(auteur));
  return titreScore(titre, asked.titre) + (isAuteur ? 4 : 0);
}

function titreScore(titre: string, asked: string): number {
  const [mine, wanted] = [normaliser(titre), normaliser(asked)];
  if (mine === wanted) return 3;
  if (cleOeuvre(titre) === cleOeuvre(asked)) return 2;
  return `${mine} `.startsWith(`${wanted} `) ? 1 : 0;
}
