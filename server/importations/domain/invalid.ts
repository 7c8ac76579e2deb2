import { Refusal } from '#shared/refusals';

/** The refusal of a file that cannot be imported, with a sentence for its person. */
export const invalid = (raison: string): Refusal => new Refusal('FICHIER_INVALIDE', { raison });
