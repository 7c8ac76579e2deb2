import type { LivreDocument } from '#shared/livres';
import { benchCalibre } from './calibre.ts';
import { benchFirstCopy } from './first-copy.ts';
import { benchLighthouse } from './lighthouse.ts';
import { installPeers } from './packages.ts';
import { benchPeerSearch } from './search.ts';

/** The same work by what others would take for it; `--peers` installs that beside the project. */
export async function benchPeers(livres: readonly LivreDocument[]): Promise<void> {
  installPeers();
  await benchFirstCopy(livres);
  await benchPeerSearch(livres);
  await benchCalibre(livres);
  await benchLighthouse(livres);
}
