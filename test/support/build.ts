import { BASE_LOCALE } from '#shared/locale';
import { buildIfStale } from '../../scripts/support/build.ts';

/** Before the scenarios: builds the application that they open, in the language that all but a few read. */
export default (): Promise<void> => buildIfStale([BASE_LOCALE]);
