/** Before the scenarios: builds the application that they open. */
export { buildIfStale as default } from '../../scripts/support/build.ts';
