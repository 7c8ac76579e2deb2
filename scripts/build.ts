import { build } from './support/build.ts';
import { exitOnError } from './support/exit-on-error.ts';

await exitOnError(build);
