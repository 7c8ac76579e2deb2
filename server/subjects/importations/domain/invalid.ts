import { Refusal } from '#shared/refusals';
import { DAMAGED_ZIP } from '#server/plumbing/common/zip';

/** The refusal of a file that cannot be imported, with a sentence for its person. */
export const invalid = (raison: string): Refusal => new Refusal('FICHIER_INVALIDE', { raison });

/** The refusal of an archive that does not hold what it says. */
export const damaged = (): Refusal => invalid(DAMAGED_ZIP);
