import { BASE_LOCALE } from '#shared/locale';
import { buildIfStale } from '../../scripts/support/build.ts';

/** Builds the application before the scenarios, in the language that most of them use. */
export default (): Promise<void> => buildIfStale([BASE_LOCALE]);
