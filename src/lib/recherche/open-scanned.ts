import { m } from '$lib/paraglide/messages';
import { report } from '$lib/sync/report';
import { announcer } from '$lib/ui/announcer.svelte';
import type { SearchInUrl } from '$lib/ui/url-state.svelte';

/** See `openCode`, whose code is loaded at the first scan: the first screen goes without it. */
export function openScanned(code: string, search?: SearchInUrl): void {
  import('./open-code.ts').then(
    ({ openCode }) => openCode(code, search),
    (error: unknown) => {
      report(error, 'loading what opens a code');
      announcer.say(m.part_failed_text());
    },
  );
}
