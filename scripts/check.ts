import { attempt } from './support/attempt.ts';
import { runChecks } from './support/checks.ts';

await attempt(async () => {
  const { failed } = await runChecks();
  process.exitCode = failed === 0 ? 0 : 1;
});
