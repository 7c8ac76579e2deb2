import { exitOnError } from './support/exit-on-error.ts';
import { runChecks } from './support/checks.ts';
import { makeTypes } from './support/client-build.ts';

await exitOnError(async () => {
  await makeTypes();
  const { failures } = await runChecks(2);
  process.exitCode = failures.length === 0 ? 0 : 1;
});
