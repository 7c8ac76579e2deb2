/** Before the scenarios: the application that they open is built from the sources that are here. */
export { buildIfStale as default } from '../../scripts/support/build.ts';
