import { m } from '#messages';
import { readConfig } from '#server/config';
import { readCommandLine, wrongUsage, type Help } from './support/command-line.ts';
import { exitOnError } from './support/exit-on-error.ts';
import { askService } from './support/service.ts';

const TIMEOUT_MS = 4000;

const HELP: Help = { usage: m.operator_health_usage, options: {} };

void exitOnError(async () => {
  if (readCommandLine(HELP).positionals.length > 0) throw wrongUsage(HELP);
  const config = readConfig(process.env);
  const asked = askService(config, '/api/sante', { timeoutMs: TIMEOUT_MS });
  const { status } = await asked.catch((cause: unknown) => {
    const address = `${config.host}:${config.port}`;
    throw new Error(m.operator_health_no_answer({ address }), { cause });
  });
  if (status !== 200) throw new Error(`/api/sante: ${status}`);
});
