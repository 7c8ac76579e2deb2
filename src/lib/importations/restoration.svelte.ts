import { call } from '$lib/api/call';
import { link } from '$lib/api/link';
import { Action } from '$lib/ui/action.svelte';
import { whileHere } from '$lib/ui/this-screen';
import { updateUrl } from '$lib/ui/url-state.svelte';
import { restaurer } from '#shared/sauvegardes';

/** How a file comes in: a list is checked first, as is an export, whose report says what it lacks. */
export type Nature = 'sauvegarde' | 'base' | 'liste';

/** The tables of a database are named on its first pages, the files of an archive at its beginning. */
const START_BYTES = 64 * 1024;

export async function natureOf(file: Blob): Promise<Nature> {
  const start = await file.slice(0, START_BYTES).text();
  if (start.startsWith('SQLite format 3'))
    return /TABLE "?Livre"? ?\(/.test(start) ? 'base' : 'liste';
  if (!start.startsWith('PK')) return 'liste';
  return start.slice(0, 200).includes('manifest.json') ? 'sauvegarde' : 'liste';
}

/** A backup with its covers takes its time on a slow line. */
const TIMEOUT_MS = 3_600_000;

/** Puts a backup in the place of an empty library. Create while a component is set up. */
export class Restoration {
  readonly action = new Action();

  restore(bytes: File): Promise<boolean> {
    // Another library draws the screen anew, and this component with it: the address keeps the number of books.
    const noteLivres = whileHere((livres: number) =>
      updateUrl({ livres: String(livres) }, { replace: true }),
    );
    return this.action.run(async () => {
      const answer = await call(restaurer, { bytes, timeoutMs: TIMEOUT_MS });
      await link.catchUp();
      await noteLivres(answer.livres);
    });
  }
}
