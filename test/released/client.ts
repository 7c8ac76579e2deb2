/** What the tests drive of an application: `make.ts` keeps it of every version that is released. */
export { Engine } from '../../src/lib/sync/engine.ts';
export { Failure } from '../../src/lib/sync/failure.ts';
export { Records } from '../../src/lib/sync/records.ts';
