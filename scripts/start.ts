import { exitOnError } from './support/exit-on-error.ts';
import { pathToFileURL } from 'node:url';
import { buildIfStale, SERVICE } from './support/build.ts';
import { simulatedUser } from './support/user.ts';

await exitOnError(async () => {
  await buildIfStale();
  process.env['HOST'] = '127.0.0.1';
  process.env['SIMULATED_USER'] = simulatedUser();
  await import(pathToFileURL(SERVICE).href);
});
