// cspell:words authz socache shmcb apr biblio -- words of Apache and of openssl
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { caddyOptions, changed, nginxLine, type Place, type Proxy } from './proxies.ts';

/** Proxies that ask for a password themselves, the simplest sign-on layer. */

const [NAME, PASSWORD] = ['alice', 'a secret'];

export const WITH_PASSWORD = {
  authorization: `Basic ${Buffer.from(`${NAME}:${PASSWORD}`).toString('base64')}`,
};

/** `kind` is an option of `openssl passwd`. */
const digest = (kind: string): string =>
  execFileSync('openssl', ['passwd', kind, PASSWORD], { encoding: 'utf8' }).trim();

const CADDY: Proxy = {
  name: 'Caddy with passwords',
  command: 'caddy',
  signOn: 'password',
  places: ['below a path that is passed on'],
  line({ folder, authority: { certPath, keyPath }, port, plainPort, servicePort, base }) {
    const path = join(folder, 'Caddyfile-path');
    const hashing = ['hash-password', '--plaintext', PASSWORD];
    const file = changed(readFileSync('deploy/Caddyfile-path', 'utf8'), [
      ['grace_period 5s', `grace_period 5s\n\t${caddyOptions(plainPort)}`],
      [
        'maison.example.org {',
        `https://localhost:${port} {\n\tbind 127.0.0.1\n\ttls ${certPath} ${keyPath}`,
      ],
      ['/biblio', base],
      [
        'camille REPLACE_ME',
        `${NAME} ${execFileSync('caddy', hashing, { encoding: 'utf8' }).trim()}`,
      ],
      ['127.0.0.1:3000', `127.0.0.1:${servicePort}`],
    ]);
    writeFileSync(path, file);
    return ['caddy', 'run', '--adapter', 'caddyfile', '--config', path];
  },
};

/** As the guide says: two lines replace those of the sign-on layer in deploy/nginx.conf. */
const NGINX: Proxy = {
  name: 'nginx with passwords',
  command: 'nginx',
  signOn: 'password',
  places: ['at the root', 'below a path that is taken away'],
  line(place) {
    const users = join(place.folder, 'nginx-users');
    writeFileSync(users, `${NAME}:${digest('-apr1')}\n`);
    const asked = /^ {2}auth_request [^]*?\$upstream_http_remote_name;\n/m;
    return nginxLine(place, (file) =>
      changed(
        file
          .replace(asked, `  auth_basic "Rayonnage";\n  auth_basic_user_file ${users};\n`)
          .replace(/^ {2}location = \/authelia \{[^]*?\n {2}\}\n/m, ''),
        [
          ['$sso_user', '$remote_user'],
          ['$sso_email', '""'],
          ['$sso_name', '""'],
        ],
      ),
    );
  },
};

/** Debian's folder of Apache modules, and those that the configuration needs. */
const MODULES = '/usr/lib/apache2/modules';
const NEEDED = [
  'mpm_event',
  'authn_core',
  'authn_file',
  'auth_basic',
  'authz_core',
  'authz_user',
].concat(['alias', 'headers', 'proxy', 'proxy_http', 'ssl', 'http2', 'socache_shmcb']);

const APACHE: Proxy = {
  name: 'Apache with passwords',
  command: 'apache2',
  signOn: 'password',
  places: ['at the root', 'below a path that is passed on', 'below a path that is taken away'],
  line(place) {
    const { folder, authority, port, plainPort, servicePort, base, strips } = place;
    const users = join(folder, 'apache-users');
    writeFileSync(users, `${NAME}:${digest('-apr1')}\n`);
    chmodSync(folder, 0o711);
    const host = changed(readFileSync('deploy/apache.conf', 'utf8'), [
      ['*:80', `127.0.0.1:${plainPort}`],
      ['*:443', `127.0.0.1:${port}`],
      ['bibliotheque.example.org', 'localhost'],
      ['/etc/ssl/bibliotheque.pem', authority.certPath],
      ['/etc/ssl/private/bibliotheque.key', authority.keyPath],
      ['AuthUserFile /etc/apache2/rayonnage-users', `AuthUserFile ${users}`],
      [
        '"/" "http://127.0.0.1:3000/"',
        `"${base}/" "http://127.0.0.1:${servicePort}${strips ? '' : base}/"`,
      ],
    ]);
    const main = [
      'ServerRoot /etc/apache2',
      `PidFile ${folder}/apache.pid`,
      `DefaultRuntimeDir ${folder}`,
      `ErrorLog ${folder}/apache.log`,
      'User www-data',
      'Group www-data',
      'ServerName localhost',
      ...NEEDED.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`),
      ...[port, plainPort].map((each) => `Listen 127.0.0.1:${each}`),
    ];
    const path = join(folder, 'apache.conf');
    writeFileSync(path, [...main, host].join('\n'));
    return ['apache2', '-D', 'FOREGROUND', '-f', path];
  },
};

const HAPROXY: Proxy = {
  name: 'HAProxy with passwords',
  command: 'haproxy',
  signOn: 'password',
  places: ['at the root', 'below a path that is passed on'],
  line({ folder, authority: { certPath, keyPath }, port, plainPort, servicePort }: Place) {
    const both = join(folder, 'haproxy.pem');
    writeFileSync(both, readFileSync(certPath, 'utf8') + readFileSync(keyPath, 'utf8'));
    const path = join(folder, 'haproxy.cfg');
    const file = changed(readFileSync('deploy/haproxy.cfg', 'utf8'), [
      ['bind :80', `bind 127.0.0.1:${plainPort}`],
      ['bind :443', `bind 127.0.0.1:${port}`],
      ['/etc/haproxy/bibliotheque.pem', both],
      ['camille password REPLACE_ME', `${NAME} password ${digest('-6')}`],
      ['127.0.0.1:3000', `127.0.0.1:${servicePort}`],
    ]);
    writeFileSync(path, file);
    return ['haproxy', '-db', '-f', path];
  },
};

export const WITH_PASSWORDS: readonly Proxy[] = [NGINX, CADDY, APACHE, HAPROXY];
