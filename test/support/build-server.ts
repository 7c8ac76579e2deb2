/** Builds the service before the tests in Node, some of which start it. */
export { buildServerIfStale as default } from '../../scripts/support/server-build.ts';
