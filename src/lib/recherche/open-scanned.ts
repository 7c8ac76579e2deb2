import type * as opener from './open-code.ts';
import { loadDeferred } from '$lib/ui/load-deferred';
import { whileHere } from '$lib/ui/this-screen';
import type { SearchInUrl } from '$lib/ui/url-state.svelte';

/** Like `openCode`, whose code is loaded at the first scan, not with the first screen. */
export function openScanned(code: string, search?: SearchInUrl): void {
  const onSuccess = whileHere(({ openCode }: typeof opener) => openCode(code, search));
  loadDeferred(
    () => import('./open-code.ts'),
    (part) => void onSuccess(part),
    'loading what opens a code',
  );
}
