import { loadBehind } from '$lib/ui/load-again';
import { thisScreen } from '$lib/ui/this-screen';
import type { SearchInUrl } from '$lib/ui/url-state.svelte';

/** See `openCode`, whose code is loaded at the first scan: the first screen goes without it. */
export function openScanned(code: string, search?: SearchInUrl): void {
  const screen = thisScreen();
  loadBehind(
    () => import('./open-code.ts'),
    ({ openCode }) => {
      if (!screen.isLeft) openCode(code, search);
    },
    'loading what opens a code',
  );
}
