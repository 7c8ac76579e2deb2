import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '#server/config';
import { temporaryFolder } from '../support/database.ts';
import { certificate } from '../support/certificate.ts';

test('without settings, the defaults of the contract', () => {
  const { proxies, clientPath, ...config } = readConfig({});
  expect(config).toEqual({
    accounts: false,
    locale: 'fr',
    provider: null,
    host: '127.0.0.1',
    port: 3000,
    hosts: { named: null, servesHouseNames: false },
    basePath: '',
    databasePath: 'data/bibliotheque.sqlite',
    backupPath: 'data/sauvegardes',
    coversPath: 'data/couvertures',
    identity: {
      headers: {
        utilisateur: 'sso_user',
        email: 'sso_user_email',
        nomComplet: 'sso_user_fullname',
      },
      simulatedUser: null,
    },
    bnfSruUrl: 'https://catalogue.bnf.fr/api/SRU',
    openLibraryUrl: 'https://openlibrary.org',
    openLibraryCoversUrl: 'https://covers.openlibrary.org',
    upstreamTimeout: 8000,
    tls: null,
    metrics: false,
    logLevel: 'warn',
    libraryName: 'Rayonnage',
  });
  expect(proxies.trusts('127.0.0.1')).toBe(true);
  expect(clientPath).toMatch(/\/build\/client\/$/);
});

test('an empty setting means the default', () => {
  const names = ['HOST', 'PORT', 'DATABASE_PATH', 'SSO_HEADER_USER', 'SSO_HEADER_EMAIL']
    .concat(['SSO_HEADER_FULLNAME', 'TRUSTED_PROXIES', 'SIMULATED_USER', 'BNF_SRU_URL'])
    .concat(['OPEN_LIBRARY_URL', 'OPEN_LIBRARY_COVERS_URL', 'UPSTREAM_TIMEOUT_MS'])
    .concat([
      'TLS_CERT',
      'TLS_KEY',
      'LOG_LEVEL',
      'NODE_ENV',
      'COVERS_PATH',
      'LIBRARY_NAME',
      'LANGUAGE',
      'BASE_PATH',
      'METRICS',
      'BACKUP_PATH',
      'ALLOWED_HOSTS',
    ]);
  const empty = Object.fromEntries(names.map((name, i) => [name, i % 2 === 0 ? '' : ' ']));
  expect(readConfig(empty)).toEqual(readConfig({}));
});

test.each<[Record<string, string>, object]>([
  [
    { HOST: '0.0.0.0', PORT: '0' },
    { host: '0.0.0.0', port: 0, hosts: null },
  ],
  [
    { HOST: '::', PORT: '65535' },
    { host: '::', port: 65_535 },
  ],
  [{ HOST: 'bibliotheque.maison.lan' }, { host: 'bibliotheque.maison.lan' }],
  [{ HOST: 'raspberry_pi' }, { host: 'raspberry_pi' }],
  [
    { ALLOWED_HOSTS: 'biblio.maison.lan, 192.168.1.2' },
    { hosts: { named: ['biblio.maison.lan', '192.168.1.2'] } },
  ],
  [
    { SSO_HEADER_USER: 'Remote-User', TRUSTED_PROXIES: '10.0.0.0/8,::1' },
    { identity: { headers: { utilisateur: 'remote-user' } } },
  ],
  [
    { SIMULATED_USER: 'Élodie', NODE_ENV: 'development' },
    { identity: { simulatedUser: 'Élodie' } },
  ],
  [{ SIMULATED_USER: 'a', HOST: '::1' }, { identity: { simulatedUser: 'a' } }],
  [{ SIMULATED_USER: 'a', HOST: 'localhost' }, { identity: { simulatedUser: 'a' } }],
  [{ SIMULATED_USER: 'a', HOST: '127.1.2.3' }, { identity: { simulatedUser: 'a' } }],
  [
    { SIMULATED_USER: '', NODE_ENV: 'production', HOST: '0.0.0.0' },
    { identity: { simulatedUser: null } },
  ],
  [
    { UPSTREAM_TIMEOUT_MS: '1', LOG_LEVEL: 'silent' },
    { upstreamTimeout: 1, logLevel: 'silent' },
  ],
  [{ BNF_SRU_URL: 'http://127.0.0.1:1234/sru' }, { bnfSruUrl: 'http://127.0.0.1:1234/sru' }],
  [{ LIBRARY_NAME: 'Chez « Anne & Luc »' }, { libraryName: 'Chez « Anne & Luc »' }],
  [{}, { locale: 'fr' }],
  [{ LANGUAGE: 'en' }, { locale: 'en' }],
  // A shell's own variable.
  [{ LANGUAGE: 'de_DE:en_GB:en' }, { locale: 'en' }],
  [{ LANGUAGE: 'de' }, { locale: 'fr' }],
  [{ BASE_PATH: '/maison/biblio-2/' }, { basePath: '/maison/biblio-2' }],
])('%j is taken', (settings, config) => {
  expect(readConfig(settings)).toMatchObject(config);
});

test.each<[string, Record<string, string>]>([
  ['HOST', { HOST: 'deux mots' }],
  ['HOST', { HOST: 'http://localhost' }],
  ['HOST', { HOST: '999.1.1.1' }],
  ['HOST', { HOST: '127.0.0.1:3000' }],
  ['PORT', { PORT: 'trois mille' }],
  ['PORT', { PORT: '65536' }],
  ['PORT', { PORT: '-1' }],
  ['PORT', { PORT: '3e3' }],
  ['PORT', { PORT: '3000.5' }],
  ['SSO_HEADER_USER', { SSO_HEADER_USER: 'Remote User' }],
  ['SSO_HEADER_EMAIL', { SSO_HEADER_EMAIL: 'é' }],
  ['SSO_HEADER_FULLNAME', { SSO_HEADER_FULLNAME: 'a:b' }],
  ['ALLOWED_HOSTS', { ALLOWED_HOSTS: 'https://biblio.maison.lan' }],
  ['ALLOWED_HOSTS', { ALLOWED_HOSTS: 'biblio.maison.lan:3000' }],
  ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '127.0.0.1,proxy.lan' }],
  ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.0.0.0/99' }],
  ['SIMULATED_USER', { SIMULATED_USER: 'a', NODE_ENV: 'production' }],
  ['SIMULATED_USER', { SIMULATED_USER: 'a', HOST: '0.0.0.0' }],
  ['SIMULATED_USER', { SIMULATED_USER: 'a', HOST: '::' }],
  ['SIMULATED_USER', { SIMULATED_USER: 'a', HOST: 'localhost.maison.lan' }],
  ['SIMULATED_USER', { SIMULATED_USER: 'a'.repeat(201) }],
  ['SIMULATED_USER', { SIMULATED_USER: 'a\tb' }],
  ['BNF_SRU_URL', { BNF_SRU_URL: 'catalogue.bnf.fr' }],
  ['OPEN_LIBRARY_URL', { OPEN_LIBRARY_URL: 'ftp://openlibrary.org' }],
  ['OPEN_LIBRARY_COVERS_URL', { OPEN_LIBRARY_COVERS_URL: 'https://' }],
  ['UPSTREAM_TIMEOUT_MS', { UPSTREAM_TIMEOUT_MS: '0' }],
  ['UPSTREAM_TIMEOUT_MS', { UPSTREAM_TIMEOUT_MS: '8s' }],
  ['UPSTREAM_TIMEOUT_MS', { UPSTREAM_TIMEOUT_MS: '99999999999' }],
  ['LOG_LEVEL', { LOG_LEVEL: 'verbose' }],
  ['BASE_PATH', { BASE_PATH: '/deux mots' }],
  ['BASE_PATH', { BASE_PATH: '/maison/../biblio' }],
  ['BASE_PATH', { BASE_PATH: '/api/biblio' }],
  ['BASE_PATH', { BASE_PATH: 'https://maison.example/biblio' }],
  ['METRICS', { METRICS: 'peut-être' }],
  ['LIBRARY_NAME', { LIBRARY_NAME: 'a'.repeat(61) }],
  ['LIBRARY_NAME', { LIBRARY_NAME: 'a\tb' }],
  ['TLS_KEY', { TLS_CERT: 'cert.pem' }],
  ['TLS_CERT', { TLS_KEY: 'key.pem' }],
  ['TLS_CERT', { TLS_CERT: 'nulle/part.pem', TLS_KEY: 'nulle/part.pem' }],
])('a bad %s stops the start: %j', (name, settings) => {
  expect(() => readConfig(settings)).toThrow(ConfigError);
  expect(() => readConfig(settings)).toThrow(`Réglage ${name} :`);
});

test('a certificate is read only together with its own key', () => {
  const one = certificate();
  const other = certificate();
  const nonsense = join(temporaryFolder(), 'rien.pem');
  writeFileSync(nonsense, 'rien');
  expect(readConfig({ TLS_CERT: one.certPath, TLS_KEY: one.keyPath }).tls?.cert.toString()).toBe(
    one.cert,
  );
  const read = (cert: string, key: string) => () => readConfig({ TLS_CERT: cert, TLS_KEY: key });
  expect(read(one.certPath, other.keyPath)).toThrow('Réglage TLS_KEY :');
  expect(read(nonsense, one.keyPath)).toThrow('Réglage TLS_CERT :');
  expect(read(one.certPath, nonsense)).toThrow('Réglage TLS_KEY :');
  expect(read(one.certPath, join(nonsense, 'x'))).toThrow('Réglage TLS_KEY :');
});
