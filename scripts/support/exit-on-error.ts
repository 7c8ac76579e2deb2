import { LOCALES } from '#shared/locale';
import { inLocale } from '#server/plumbing/http/language';
import { operatorLocale } from '../../server/start/operator.mjs';

/** In the language of the person who typed, for whom the error's message is meant, without a stack. */
export const exitOnError = (work: () => Promise<void>): Promise<void> =>
  inLocale(operatorLocale(process.env, LOCALES), async () => {
    try {
      await work();
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
      process.exit(1);
    }
  });
