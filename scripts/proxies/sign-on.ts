import { createServer } from 'node:http';
import { portOf } from './proxies.ts';

export const SESSION = 'session=alice';

export const LOGIN = 'https://login.example.org/';

/** A sign-on that answers as Authelia does: to nginx (`auth-request`, 401) or to Caddy (`forward-auth`, 302). */
export async function startSignOn(): Promise<number> {
  const server = createServer(({ url = '', headers }, answer) => {
    if (headers.cookie?.includes(SESSION) === true)
      answer.writeHead(200, { 'Remote-User': 'alice', 'Remote-Name': 'Alice' });
    else answer.writeHead(url.endsWith('/forward-auth') ? 302 : 401, { Location: LOGIN });
    answer.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return portOf(server);
}
