import { Constance } from './constance.ts';
import type { Decodeur } from './decodeur.ts';
import { dessinerPhoto, dessinerVideo } from './image.ts';
import { ouvrirDecodeur } from './ouvrir.ts';

/** The rest between two pictures, in milliseconds: a phone stays cool, a hand is not faster. */
const PAUSE = 120;

interface Suivi {
  readonly signal: AbortSignal;
  readonly surCode: (code: string) => void;
}

/** Reads the running video until the signal is aborted, and tells each code as it is newly seen. */
export async function suivre(
  video: HTMLVideoElement,
  decodeur: Decodeur,
  { signal, surCode }: Suivi,
): Promise<void> {
  const toile = document.createElement('canvas');
  const constance = new Constance();
  while (!signal.aborted) {
    if (video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA && video.clientWidth > 0) {
      dessinerVideo(video, toile);
      const codes = await decodeur.lire(toile);
      for (const code of constance.voir(codes)) if (!aborte(signal)) surCode(code);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

/** The signal anew: it may have been aborted while a picture was read. */
const aborte = (signal: AbortSignal): boolean => signal.aborted;

/** The codes in a photo; rejects where the browser cannot read that kind of picture. */
export async function lirePhoto(fichier: Blob): Promise<readonly string[]> {
  const [decodeur, toile] = await Promise.all([ouvrirDecodeur(), dessinerPhoto(fichier)]);
  return decodeur.lire(toile);
}
