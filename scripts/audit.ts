import { spawnSync } from 'node:child_process';
import { auditOutcome } from './support/audit-outcome.ts';
import { NOT_EXAMINED } from './support/not-examined.ts';

/** `npm run prove -- audit`: checks the shipped packages against the registry's advisories. */

const { stdout, stderr } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
  encoding: 'utf8',
});
const { mark, lines } = auditOutcome(stdout || stderr);
for (const line of lines) console.log(line);
process.exitCode = { '✓': 0, '✗': 1, '–': NOT_EXAMINED }[mark];
