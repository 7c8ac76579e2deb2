import { readConfig } from '#server/config';
import { exitOnError } from './support/exit-on-error.ts';
import { askService } from './support/service.ts';

const TIMEOUT_MS = 4000;

void exitOnError(async () => {
  const config = readConfig(process.env);
  const asked = askService(config, '/api/sante', { timeoutMs: TIMEOUT_MS });
  const { status } = await asked.catch((cause: unknown) => {
    const where = `${config.host}:${config.port}`;
    throw new Error(`Rien ne répond à ${where} avec ces réglages (HOST, PORT, TLS_CERT).`, {
      cause,
    });
  });
  if (status !== 200) throw new Error(`/api/sante : ${status}`);
});
