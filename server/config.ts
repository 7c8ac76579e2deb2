import { m } from '#messages';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname, join } from 'node:path';
import { MAX_NOM_BIBLIOTHEQUE } from '#shared/bibliotheque';
import { COVERS_SITE } from '#shared/couvertures';
import { BASE_LOCALE, preferredLocale, type Locale } from '#shared/locale';
import { BNF_SITE } from '#shared/recherche';
import { nfc, oneLine } from '#shared/text';
import { defaultFolder } from '#server/plumbing/database/backup/backup';
import {
  isUserName,
  type HostRules,
  type IdentityRules,
  isLoopback,
  ProxyList,
} from '#server/plumbing/http/identity';
import type { Tls } from '#server/plumbing/http/server';
import { CLIENT } from '#server/plumbing/paths';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
/** The longest that a timer of Node waits. */
const MAX_DELAY_MS = 2 ** 31 - 1;
const CLAIM = /^[\w:/.-]{1,100}$/;
const MAX_PROVIDER_NAME = 40;
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,200}$/;

/** Which of the provider's users may sign in; without it only members of the household. */
type Admission =
  | { readonly identifiers: readonly string[] }
  | { readonly claim: string; readonly values: readonly string[] };

export interface Provider {
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly nom: string;
  readonly scope: string;
  /** The claim that holds a member's identifier. */
  readonly claim: string;
  readonly letIn: Admission | null;
}

/** docs/rules.md § 31 */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** The hosts under which the service answers; `null` for any. */
  readonly hosts: HostRules | null;
  /** Where the application lives on its host, without a slash at its end: empty, or `/bibliotheque`. */
  readonly basePath: string;
  readonly databasePath: string;
  /** `null` where the service makes no nightly backup. */
  readonly backupPath: string | null;
  readonly coversPath: string;
  readonly identity: IdentityRules;
  /** Whether sessions and keys of the service, not headers, say who reads. */
  readonly accounts: boolean;
  readonly provider: Provider | null;
  readonly proxies: ProxyList;
  readonly bnfSruUrl: string;
  readonly openLibraryUrl: string;
  readonly openLibraryCoversUrl: string;
  /** In milliseconds, for one outside request with its body. */
  readonly upstreamTimeout: number;
  readonly tls: Tls | null;
  /** Whether `/metrics` is answered, in the format of Prometheus. */
  readonly metrics: boolean;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  readonly libraryName: string;
  /** The household's language, for whoever names none of their own. */
  readonly locale: Locale;
  readonly clientPath: string;
}

/** A setting that prevents the start. Its message is one line for the operator. */
export class ConfigError extends Error {}

type Environment = Readonly<Partial<Record<string, string>>>;

export function readConfig(env: Environment): Config {
  const text = (name: string, initial: string) => env[name]?.trim() || initial;
  const read = <T>(name: string, initial: string, parse: (name: string, value: string) => T): T =>
    parse(name, text(name, initial));
  const host = text('HOST', '127.0.0.1');
  check(isHost(host), 'HOST', m.operator_setting_no_host({ value: host }));
  const databasePath = text('DATABASE_PATH', 'data/bibliotheque.sqlite');
  const accounts = read('ACCOUNTS', 'non', yesOrNo);
  for (const name of ['SSO_HEADER_USER', 'SIMULATED_USER'])
    check(!accounts || text(name, '') === '', 'ACCOUNTS', m.operator_setting_not_with({ name }));
  return {
    host,
    port: read('PORT', '3000', integer(0, 65_535)),
    hosts: hostRules(text('ALLOWED_HOSTS', isLoopback(host) ? '' : '*'), accounts),
    basePath: read('BASE_PATH', '/', basePath),
    databasePath,
    backupPath: orNone(text('BACKUP_PATH', defaultFolder(databasePath))),
    coversPath: text('COVERS_PATH', join(dirname(databasePath), 'couvertures')),
    identity: {
      headers: {
        utilisateur: read('SSO_HEADER_USER', 'SSO_USER', header),
        email: read('SSO_HEADER_EMAIL', 'SSO_USER_EMAIL', header),
        nomComplet: read('SSO_HEADER_FULLNAME', 'SSO_USER_FULLNAME', header),
      },
      simulatedUser: simulatedUser(text('SIMULATED_USER', ''), host, text('NODE_ENV', '')),
    },
    accounts,
    provider: provider(accounts, (name) => text(`OIDC_${name}`, '')),
    proxies: read('TRUSTED_PROXIES', '127.0.0.0/8,::1', proxies),
    bnfSruUrl: read('BNF_SRU_URL', BNF_SITE, url),
    openLibraryUrl: read('OPEN_LIBRARY_URL', 'https://openlibrary.org', url),
    openLibraryCoversUrl: read('OPEN_LIBRARY_COVERS_URL', COVERS_SITE, url),
    upstreamTimeout: read('UPSTREAM_TIMEOUT_MS', '8000', integer(1, MAX_DELAY_MS)),
    tls: tls(text('TLS_CERT', ''), text('TLS_KEY', '')),
    metrics: read('METRICS', 'non', yesOrNo),
    logLevel: read('LOG_LEVEL', 'warn', logLevel),
    libraryName: read('LIBRARY_NAME', 'Rayonnage', libraryName),
    locale: householdLocale(text('LANGUAGE', '')),
    clientPath: CLIENT,
  };
}

function check(right: boolean, name: string, reason: string): asserts right {
  if (!right) throw new ConfigError(m.operator_setting_wrong({ name, reason }));
}

const integer =
  (least: number, most: number) =>
  (name: string, value: string): number => {
    const number = /^\d+$/.test(value) ? Number(value) : NaN;
    const right = number >= least && number <= most;
    check(right, name, m.operator_setting_no_integer({ value, least, most }));
    return number;
  };

/** `/bibliotheque/` and `bibliotheque` become `/bibliotheque`. A path that the service itself answers is refused. */
function basePath(name: string, value: string): string {
  const segments = value.split('/').filter((segment) => segment !== '');
  const right = segments.every((segment) => /^[\w~-][\w.~-]*$/.test(segment));
  check(right, name, m.operator_setting_no_path({ value }));
  const isTaken = segments[0] === 'api' || segments[0] === '_app';
  check(!isTaken, name, m.operator_setting_path_taken({ value }));
  return segments.map((segment) => `/${segment}`).join('');
}

const orNone = (value: string): string | null => (value === 'non' ? null : value);

function yesOrNo(name: string, value: string): boolean {
  check(['oui', 'non'].includes(value), name, m.operator_setting_no_yes({ value }));
  return value === 'oui';
}

function provider(hasAccounts: boolean, of: (name: string) => string): Provider | null {
  const names = ['ISSUER', 'CLIENT_ID', 'CLIENT_SECRET', 'CLAIM', 'SCOPE', 'ALLOWED', 'NAME'];
  const set = names.filter((name) => of(name) !== '');
  if (set.length === 0) return null;
  for (const name of names.slice(0, 3))
    check(
      set.includes(name),
      `OIDC_${name}`,
      m.operator_setting_missing({ name: `OIDC_${set[0]}` }),
    );
  const issuer = URL.parse(of('ISSUER'));
  const isSafe = issuer !== null && mayHearSecrets(issuer);
  check(isSafe, 'OIDC_ISSUER', m.operator_setting_no_https({ value: of('ISSUER') }));
  const claim = of('CLAIM') || 'preferred_username';
  check(CLAIM.test(claim), 'OIDC_CLAIM', m.operator_setting_no_claim({ value: claim }));
  const scope = of('SCOPE') || 'openid profile email';
  check(scope.split(' ').includes('openid'), 'OIDC_SCOPE', m.operator_setting_no_openid());
  const letIn = readLetIn('OIDC_ALLOWED', of('ALLOWED'));
  const nom = oneLine(nfc(of('NAME'))).trim() || issuer.hostname;
  check(
    nom.length <= MAX_PROVIDER_NAME,
    'OIDC_NAME',
    m.operator_setting_too_long({ most: MAX_PROVIDER_NAME }),
  );
  check(hasAccounts, 'OIDC_ISSUER', m.operator_setting_with_accounts());
  const [clientId, clientSecret] = [of('CLIENT_ID'), of('CLIENT_SECRET')];
  return { issuer, clientId, clientSecret, nom, scope, claim, letIn };
}

/** The client secret is sent to this URL: only by https, or to this machine. */
const mayHearSecrets = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' ||
  (protocol === 'http:' && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname));

/** `camille,luc`, or a claim and its values: `groups=family,friends`. */
function readLetIn(name: string, text: string): Admission | null {
  if (text === '') return null;
  const [, claim, listed = text] = /^([^=,]*)=(.*)$/s.exec(text) ?? [];
  const values = listed.split(',').map((value) => nfc(value.trim()));
  const right = !values.includes('') && (claim === undefined || CLAIM.test(claim));
  check(right, name, m.operator_setting_no_admission());
  return claim === undefined ? { identifiers: values } : { claim, values };
}

function header(name: string, value: string): string {
  check(HEADER_NAME.test(value), name, m.operator_setting_no_header({ value }));
  return value.toLowerCase();
}

/**
 * `LANGUAGE` is also a variable of shells: `en_GB:en`. An unknown value falls back to the base language and never
 * prevents a start.
 */
const householdLocale = (value: string): Locale =>
  preferredLocale(value.replaceAll(':', ',').replaceAll('_', '-')) ?? BASE_LOCALE;

function libraryName(name: string, value: string): string {
  const right =
    value.length <= MAX_NOM_BIBLIOTHEQUE && value.isWellFormed() && !/\p{Cc}/u.test(value);
  check(right, name, m.operator_setting_no_library_name({ most: MAX_NOM_BIBLIOTHEQUE }));
  return value;
}

function url(name: string, value: string): string {
  const right = /^https?:$/.test(URL.parse(value)?.protocol ?? '');
  check(right, name, m.operator_setting_no_url({ value }));
  return value;
}

/** A last label that is a number is a mistyped address, not a host name. */
function isHost(value: string): boolean {
  if (isIP(value) !== 0) return true;
  const labels = value.split('.');
  const wellMade = labels.every((label) => /^[a-z\d]([\w-]{0,61}[a-z\d])?$/i.test(label));
  return wellMade && value.length <= 253 && !/^\d+$/.test(labels.at(-1) ?? '');
}

/** A service without accounts is open to anyone who reaches it: each host name has to be trusted explicitly. */
function hostRules(value: string, servesHouseNames: boolean): HostRules | null {
  if (value === '*') return null;
  if (value === '') return { named: null, servesHouseNames };
  const named = value.split(',').map((host) => host.trim().toLowerCase());
  for (const host of named)
    check(isHost(host), 'ALLOWED_HOSTS', m.operator_setting_no_machine({ value: host }));
  return { named, servesHouseNames: false };
}

function proxies(name: string, value: string): ProxyList {
  const wrong = value.split(',').find((entry) => orNull(() => new ProxyList(entry)) === null);
  check(wrong === undefined, name, m.operator_setting_no_proxy({ value: wrong?.trim() ?? '' }));
  return new ProxyList(value);
}

/** Every request counts as this user, so that the service may listen on this machine only. */
function simulatedUser(value: string, host: string, environment: string): string | null {
  if (value === '') return null;
  const name = 'SIMULATED_USER';
  check(isUserName(value), name, m.operator_setting_no_user());
  check(environment !== 'production', name, m.operator_setting_not_in_production());
  check(isLoopback(host), name, m.operator_setting_loopback_only({ host }));
  return value;
}

function tls(cert: string, key: string): Tls | null {
  if (cert === '' && key === '') return null;
  check(cert !== '', 'TLS_CERT', m.operator_setting_missing({ name: 'TLS_KEY' }));
  check(key !== '', 'TLS_KEY', m.operator_setting_missing({ name: 'TLS_CERT' }));
  const pair = { cert: readPem('TLS_CERT', cert), key: readPem('TLS_KEY', key) };
  const certificate = orNull(() => new X509Certificate(pair.cert));
  check(certificate !== null, 'TLS_CERT', m.operator_setting_no_certificate({ value: cert }));
  const privateKey = orNull(() => createPrivateKey(pair.key));
  check(privateKey !== null, 'TLS_KEY', m.operator_setting_no_private_key({ value: key }));
  const isPair = certificate.checkPrivateKey(privateKey);
  check(isPair, 'TLS_KEY', m.operator_setting_other_key({ value: key }));
  return pair;
}

function readPem(name: string, path: string): Buffer {
  const bytes = orNull(() => readFileSync(path));
  check(bytes !== null, name, m.operator_setting_unread_file({ path }));
  return bytes;
}

function orNull<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

function logLevel(name: string, value: string): Config['logLevel'] {
  const level = LOG_LEVELS.find((known) => known === value);
  check(
    level !== undefined,
    name,
    m.operator_setting_no_level({ value, levels: LOG_LEVELS.join(', ') }),
  );
  return level;
}
