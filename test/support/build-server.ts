/** Before the tests in Node: builds the service that some of them start. */
export { buildServerIfStale as default } from '../../scripts/support/build.ts';
