import { LOCALES } from '#shared/locale';
import { describeSystemError } from '#server/plumbing/common/system-errors';
import { inLocale } from '#server/plumbing/http/language';
import { operatorLocale } from '../../server/start/operator.mjs';

/**
 * Runs a command in its operator's language. An error ends the process with status 1 and one sentence, without a stack;
 * a system error becomes a sentence about its path.
 */
export const exitOnError = (work: () => Promise<void>): Promise<void> =>
  inLocale(operatorLocale(process.env, LOCALES), async () => {
    try {
      await work();
    } catch (error) {
      const message = error instanceof Error ? error.message : error;
      console.error(describeSystemError(error) ?? message);
      process.exit(1);
    }
  });
