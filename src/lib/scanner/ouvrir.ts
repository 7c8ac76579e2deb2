import type { Decodeur } from './decodeur.ts';

/** No reader of codes can be had: it is not on this device yet, and there is no network. */
export class DecodeurAbsent extends Error {}

let ouvert: Promise<Decodeur> | null = null;

/**
 * The browser's own reader where it knows EAN-13, otherwise the one that the application brings
 * along, which is loaded here and not before. Throws `DecodeurAbsent`; the next call tries again.
 */
export function ouvrirDecodeur(): Promise<Decodeur> {
  ouvert ??= choisir().catch((cause: unknown) => {
    ouvert = null;
    throw new DecodeurAbsent('No reader of codes', { cause });
  });
  return ouvert;
}

async function choisir(): Promise<Decodeur> {
  const { decodeurDuNavigateur } = await import('./decodeur-navigateur.ts');
  const natif = await decodeurDuNavigateur();
  if (natif !== null) return natif;
  const { ouvrirZxing } = await import('./decodeur-zxing.ts');
  return ouvrirZxing();
}
