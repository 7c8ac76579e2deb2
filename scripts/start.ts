import { exitOnError } from './support/exit-on-error.ts';
import { pathToFileURL } from 'node:url';
import { BASE_LOCALE } from '#shared/locale';
import { buildBehind, buildIfStale } from './support/build.ts';
import { SERVICE } from './support/server-build.ts';
import { simulatedUser } from './support/user.ts';

await exitOnError(async () => {
  await buildIfStale([BASE_LOCALE]);
  process.env['HOST'] = '127.0.0.1';
  process.env['SIMULATED_USER'] = simulatedUser();
  await import(pathToFileURL(SERVICE).href);
  // The library works without them.
  await buildBehind().catch((error: unknown) => console.error(error));
});
