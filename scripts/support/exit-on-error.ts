import { LOCALES } from '#shared/locale';
import { describeSystemError } from '#server/plumbing/common/system-errors';
import { inLocale } from '#server/plumbing/http/language';
import { operatorLocale } from '../../server/start/operator.mjs';

/**
 * In the language of the person who typed, for whom the error's message is meant, without a stack. An error of the system
 * is told by a sentence about its path.
 */
export const exitOnError = (work: () => Promise<void>): Promise<void> =>
  inLocale(operatorLocale(process.env, LOCALES), async () => {
    try {
      await work();
    } catch (error) {
      const told = error instanceof Error ? error.message : error;
      console.error(describeSystemError(error) ?? told);
      process.exit(1);
    }
  });
