import { attempt } from './support/attempt.ts';
import { makeTypes, runChecks } from './support/checks.ts';

await attempt(async () => {
  await makeTypes();
  const { failures } = await runChecks(2);
  process.exitCode = failures.length === 0 ? 0 : 1;
});
