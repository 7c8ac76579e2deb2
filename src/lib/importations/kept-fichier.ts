import { unsafeCast } from '$lib/api/unsafe-cast';
import type { Fichier } from './operations.ts';

const KEY = 'importation/fichier';

/** A larger file would fill the tab's store: after a reload it is chosen again. */
const MAX_BYTES = 3_000_000;

interface Kept extends Omit<Fichier, 'bytes'> {
  readonly base64: string;
}

/** Keeps a file for this tab, so that its columns can still be named after a reload. */
export async function keepFichier({ bytes, ...rest }: Fichier): Promise<void> {
  forgetFichier();
  if (bytes.size > MAX_BYTES) return;
  const text = Array.from(new Uint8Array(await bytes.arrayBuffer()), (byte) =>
    String.fromCharCode(byte),
  );
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ ...rest, base64: btoa(text.join('')) }));
  } catch {
    // No room: the file is asked for again.
    forgetFichier();
  }
}

/** The file of this tab; `null` where none is kept. */
export function readKeptFichier(): Fichier | null {
  const text = sessionStorage.getItem(KEY);
  if (text === null) return null;
  const { base64, ...rest } = unsafeCast<Kept>(JSON.parse(text));
  const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
  return { ...rest, bytes: new Blob([bytes]) };
}

export const forgetFichier = (): void => sessionStorage.removeItem(KEY);
