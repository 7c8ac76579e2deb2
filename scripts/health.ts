import { readConfig } from '#server/config';
import { attempt } from './support/attempt.ts';
import { askService } from './support/service.ts';

const TIMEOUT_MS = 4000;

/** Ends well where the service of these settings answers on this machine and reads its database. */
void attempt(async () => {
  const { status } = await askService(readConfig(process.env), '/api/sante', {
    timeoutMs: TIMEOUT_MS,
  });
  if (status !== 200) throw new Error(`/api/sante : ${status}`);
});
