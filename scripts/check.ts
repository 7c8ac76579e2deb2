import { attempt } from './support/attempt.ts';
import { makeTypes, runChecks } from './support/checks.ts';

await attempt(async () => {
  await makeTypes();
  const { failed } = await runChecks(2);
  process.exitCode = failed === 0 ? 0 : 1;
});
