import { userInfo } from 'node:os';
import { attempt } from './support/attempt.ts';
import { buildIfStale } from './support/build.ts';

/** The name under which this machine knows its user. */
function loginName(): string {
  try {
    return userInfo().username;
  } catch {
    return process.env['USER'] ?? 'moi'; // a container can run under a number without a name
  }
}

await attempt(async () => {
  await buildIfStale();
  process.env['HOST'] = '127.0.0.1';
  process.env['SIMULATED_USER'] ||= loginName();
  await import('#server/main');
});
