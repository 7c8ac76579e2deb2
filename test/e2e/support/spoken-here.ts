import { beforeAll } from 'vitest';
import { buildIfStale } from '../../../scripts/support/build.ts';
import { alone } from './alone.ts';
import { teachPseudo, type Language } from './messages.ts';
import { buildPseudoIfStale, PSEUDO_MESSAGES } from './pseudo.ts';

type Messages = Parameters<typeof teachPseudo>[0];

/** At the top of a file: builds the application in what its scenarios speak besides French. */
export function spokenHere(...languages: readonly Language[]): void {
  beforeAll(
    () =>
      // Files of several workers may need it at once, and a build has the folder to itself.
      alone(async () => {
        if (languages.includes('en')) await buildIfStale();
        if (!languages.includes('pseudo')) return;
        await buildPseudoIfStale();
        teachPseudo((await import(PSEUDO_MESSAGES)) as Messages);
      }),
    600_000,
  );
}
