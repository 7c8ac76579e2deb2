import assert from 'node:assert/strict';
import type { OutgoingHttpHeaders } from 'node:http2';
import { Connection } from './exchange.ts';
import { caddyLine, nginxLine, type Place, type Proxy, type Running } from './proxies.ts';

/** Proxies of a household with accounts, without a sign-on layer. */

/** Removes the blocks that ask a sign-on layer; each must exist. */
function without(file: string, ...blocks: readonly RegExp[]): string {
  return blocks.reduce((now, block) => {
    assert.match(now, block);
    return now.replace(block, '');
  }, file);
}

const NGINX: Proxy = {
  name: 'nginx with accounts',
  command: 'nginx',
  signOn: 'accounts',
  line: (place) =>
    nginxLine(place, (file) =>
      without(
        file,
        /^ {2}auth_request [^]*?\$upstream_http_remote_name;\n/m,
        /^ {2}location = \/authelia \{[^]*?\n {2}\}\n/m,
        /^ {2}proxy_set_header SSO_.*\n/gm,
      ),
    ),
};

const CADDY: Proxy = {
  name: 'Caddy with accounts',
  command: 'caddy',
  signOn: 'accounts',
  line: (place) => caddyLine(place, (file) => without(file, /^\t\tforward_auth [^]*?\n\t\t\}\n/m)),
};

export const WITH_ACCOUNTS: readonly Proxy[] = [NGINX, CADDY];

/** Accepts the first member's invitation through the proxy; returns the browser's cookies. */
export async function becomeMember(
  { authority, port, base }: Place,
  { said }: Running,
): Promise<OutgoingHttpHeaders> {
  const [, jeton] = /\/invitation#(\S+)/.exec(said) ?? [];
  const connection = await Connection.open(port, authority.ca);
  const asked = {
    ':method': 'POST',
    'content-type': 'application/json',
    origin: `https://localhost:${port}`,
  };
  const who = { jeton, nom: 'Alice', identifiant: 'alice', motDePasse: 'a long secret' };
  const path = `${base}/api/connexion/arrivee`;
  const { status, headers } = await connection.ask(path, asked, Buffer.from(JSON.stringify(who)));
  connection.close();
  assert.equal(status, 201);
  const cookies = (headers['set-cookie'] ?? []).map((cookie) => cookie.split('; '));
  assert.ok(cookies.length > 0);
  for (const [pair, ...attributes] of cookies)
    for (const attribute of [`Path=${base}/`, 'HttpOnly', 'Secure', 'SameSite=Lax'])
      assert.ok(attributes.includes(attribute), pair);
  return { cookie: cookies.map(([pair]) => pair).join('; ') };
}
