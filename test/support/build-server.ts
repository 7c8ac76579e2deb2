/** Before the tests in Node: the service that some of them start is built from the sources that are here. */
export { buildServerIfStale as default } from '../../scripts/support/build.ts';
