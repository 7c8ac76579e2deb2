import { beforeAll } from 'vitest';
import { buildIfStale } from '../../../scripts/support/build.ts';
import { alone } from './run-exclusively.ts';
import { teachPseudo, type Language } from './messages.ts';
import { buildPseudoIfStale, PSEUDO_MESSAGES } from './pseudo.ts';

type Messages = Parameters<typeof teachPseudo>[0];

/** Builds the application in the languages of a file's scenarios, besides French. Call it at the top of the file. */
export function spokenHere(...languages: readonly Language[]): void {
  beforeAll(
    () =>
      // Several workers may build the same language, and a build needs its folder exclusively.
      alone(async () => {
        if (languages.includes('en')) await buildIfStale();
        if (!languages.includes('pseudo')) return;
        await buildPseudoIfStale();
        teachPseudo((await import(PSEUDO_MESSAGES)) as Messages);
      }),
    600_000,
  );
}
