import { formatRaison } from '#server/plumbing/common/raisons';
import type { ReadRow } from '#server/subjects/importations/rows';

/** A row with its remarks as French sentences. */
export const withSentences = <R extends ReadRow>(read: R) => ({
  ...read,
  refus: read.refus && formatRaison(read.refus),
  avertissements: read.avertissements.map((said) => formatRaison(said)),
});
