import { Refusal } from '#shared/refusals';
import type { Base } from '#server/database/base';
import type { Image, Relais } from './domain/relais.ts';
import { estCouvertureDeLivre, estCouvertureDeNumero, estCouvertureDeSouhait } from './store.ts';

/**
 * Whether a subject knows an address as a cover that this caller may see; `utilisateur` is null
 * where the caller is unknown.
 */
type Sujet = (base: Base, url: string, utilisateur: string | null) => boolean;

/** Everything that has covers. */
const SUJETS: readonly Sujet[] = [
  estCouvertureDeLivre,
  estCouvertureDeNumero,
  estCouvertureDeSouhait,
];

/**
 * The image of a known cover (contract.md « The cover relay »). Whatever the reason, there is one
 * refusal, `INTROUVABLE`: it must not tell what is on somebody's list or in the house's network.
 */
export async function couverture(
  base: Base,
  relais: Relais,
  demande: { url: string | undefined; utilisateur: string | null; signal: AbortSignal },
): Promise<Image> {
  const { url, utilisateur, signal } = demande;
  if (url === undefined || !SUJETS.some((connait) => connait(base, url, utilisateur))) {
    throw new Refusal('INTROUVABLE');
  }
  try {
    return await relais.chercher(url, signal);
  } catch {
    throw new Refusal('INTROUVABLE');
  }
}
