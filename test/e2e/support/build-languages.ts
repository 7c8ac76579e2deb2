import { beforeAll } from 'vitest';
import { buildIfStale } from '../../../scripts/support/build.ts';
import { runExclusively } from './run-exclusively.ts';
import { setPseudoMessages, type Language } from './messages.ts';
import { buildPseudoIfStale, PSEUDO_MESSAGES } from './pseudo.ts';

type Messages = Parameters<typeof setPseudoMessages>[0];

/** Builds the application in the languages of a file's scenarios, besides French. Call it at the top of the file. */
export function buildLanguages(...languages: readonly Language[]): void {
  beforeAll(
    () =>
      // Several workers may build the same language, and a build needs its folder exclusively.
      runExclusively(async () => {
        if (languages.includes('en')) await buildIfStale();
        if (!languages.includes('pseudo')) return;
        await buildPseudoIfStale();
        setPseudoMessages((await import(PSEUDO_MESSAGES)) as Messages);
      }),
    600_000,
  );
}
