import { build } from './support/build.ts';
import { attempt } from './support/attempt.ts';

await attempt(build);
