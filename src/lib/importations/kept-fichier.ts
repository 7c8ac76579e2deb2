import { unsafeCast } from '$lib/api/unsafe-cast';
import { base } from '$lib/format/address';
import { attempt } from '$lib/sync/browser';
import { connection } from '$lib/sync/connection.svelte';
import type { Fichier } from './operations.ts';

const KEY = `${base}importation/fichier`;

/** The reader who owns the file: the next reader of a shared device must not see it. */
const reader = (): string | null => connection.moi?.utilisateur ?? null;

/** A larger file would fill the tab's store: after a reload it is chosen again. */
const MAX_BYTES = 3_000_000;

interface Kept extends Omit<Fichier, 'bytes'> {
  readonly dataUrl: string;
  readonly reader: string | null;
}

/** Keeps a file for this tab, so that its columns can still be named after a reload. */
export async function keepFichier({ bytes, ...rest }: Fichier): Promise<void> {
  forgetFichier();
  if (bytes.size > MAX_BYTES) return;
  const whose = reader();
  try {
    const kept: Kept = { ...rest, dataUrl: await readDataUrl(bytes), reader: whose };
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // No room, or the file has gone: it is asked for again.
    forgetFichier();
  }
}

/** The bytes as a `data:` address, which the browser makes beside the page. */
async function readDataUrl(bytes: Blob): Promise<string> {
  const reader = new FileReader();
  await new Promise((resolve, reject) => {
    reader.onload = resolve;
    reader.onerror = reject;
    reader.readAsDataURL(bytes);
  });
  return typeof reader.result === 'string' ? reader.result : '';
}

/** The file that this reader has chosen in this tab; `null` where none is kept. */
export function readKeptFichier(): Fichier | null {
  const text = attempt('reading the chosen file', () => sessionStorage.getItem(KEY)) ?? null;
  if (text === null) return null;
  const { dataUrl, reader: whose, ...rest } = unsafeCast<Kept>(JSON.parse(text));
  if (whose !== reader()) return null;
  const base64 = dataUrl.slice(dataUrl.indexOf(',') + 1);
  const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
  return { ...rest, bytes: new Blob([bytes]) };
}

export const forgetFichier = (): void =>
  attempt('forgetting the chosen file', () => sessionStorage.removeItem(KEY));
