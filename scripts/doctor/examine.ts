import { m } from '#messages';
import type { PeerCertificate } from 'node:tls';
import { HEARTBEAT } from '#shared/replication';
import { isLoopback } from '#server/plumbing/http/identity';
import { examineAccounts, unknownKey } from './accounts.ts';
import { ask, outcomeOf, handshake, PATIENCE_MS, type Answer, type Place } from './ask.ts';
import { told, well, wrong, type Finding } from './finding.ts';
import { examineIdentity } from './identity.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** A certificate that has less left was not renewed in time; one of a shorter lifetime has a share of it. */
const MIN_LEFT_MS = 10 * DAY_MS;
const MIN_LEFT_SHARE = 1 / 5;

const MAX_CLOCK_MS = 120_000;

export async function* examine(place: Place): AsyncGenerator<Finding> {
  const transport = await examineTransport(place);
  yield* transport.findings;
  if (!transport.isUsable) return;
  const health = await outcomeOf(() => ask(place, 'api/sante'));
  if (!('status' in health)) {
    yield wrong(
      m.operator_doctor_silent({ address: place.base.href, reason: health.reason }),
      whyNothing(health.reason),
    );
    return;
  }
  const asProxy = isThisMachine(place);
  if (asProxy) yield told(m.operator_doctor_as_proxy());
  else yield await examineIdentity(place);
  const door = doorOf(place, health);
  yield door;
  if (door.kind !== 'well') return;
  const arrival = await ask(place, 'api/connexion', {
    headers: { 'x-forwarded-for': CLAIMED_ADDRESS },
  });
  yield clockOf(arrival);
  if (!asProxy) yield* forwardingOf(place, arrival);
  const accounts = await examineAccounts(place);
  yield* accounts;
  yield await examineWrite(place, accounts.length > 0);
  yield await examineBase(place);
  yield* await examineSlash(place);
  yield await examineBuffers(place);
  if (accounts.length === 0 || place.key !== undefined) yield await examineStream(place);
  yield* await examineCompression(place);
  yield await examineWorker(place);
  yield* await examineVersion(place);
}

/** Plain HTTP on a loopback address: the doctor itself comes from where a proxy is trusted. */
const isThisMachine = ({ base }: Place): boolean =>
  base.protocol !== 'https:' && isLoopback(base.hostname);

async function examineTransport(
  place: Place,
): Promise<{ readonly findings: readonly Finding[]; readonly isUsable: boolean }> {
  const { protocol, hostname } = place.base;
  // For a browser, a loopback address is a secure context.
  if (isThisMachine(place))
    return { findings: [told(m.operator_doctor_this_machine())], isUsable: true };
  if (protocol !== 'https:') {
    const plain = wrong(m.operator_doctor_plain_http(), m.operator_doctor_plain_http_why());
    return { findings: [plain], isUsable: true };
  }
  const shaken = await outcomeOf(() => handshake(place));
  if ('reason' in shaken)
    return { findings: [wrong(...certificateFault(shaken.reason, hostname))], isUsable: false };
  const http2 = shaken.isHttp2
    ? well(m.operator_doctor_http2())
    : told(m.operator_doctor_no_http2());
  return { findings: [validityOf(shaken.certificate), http2], isUsable: true };
}

function validityOf({ valid_from, valid_to }: PeerCertificate): Finding {
  const end = Date.parse(valid_to);
  const leftMs = end - Date.now();
  const left = durationOf(leftMs);
  return leftMs < Math.min(MIN_LEFT_MS, (end - Date.parse(valid_from)) * MIN_LEFT_SHARE)
    ? wrong(m.operator_doctor_certificate_ends({ left }), m.operator_doctor_certificate_ends_why())
    : well(m.operator_doctor_certificate({ left }));
}

/** Whole days, or hours where there are fewer than two days, in words. */
function durationOf(ms: number): string {
  const [unit, count] = ms < 2 * DAY_MS ? ['hour', ms / HOUR_MS] : ['day', ms / DAY_MS];
  const style = { style: 'unit', unit, unitDisplay: 'long' } as const;
  return new Intl.NumberFormat(m.intl_locale(), style).format(Math.floor(count));
}

function certificateFault(code: string, hostname: string): [sentence: string, why: string] {
  if (code === 'CERT_HAS_EXPIRED')
    return [m.operator_doctor_expired(), m.operator_doctor_expired_why()];
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return [m.operator_doctor_other_name({ host: hostname }), m.operator_doctor_other_name_why()];
  if (/SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)/.test(code))
    return [m.operator_doctor_unknown_authority(), m.operator_doctor_unknown_authority_why()];
  return [m.operator_doctor_no_encryption({ reason: code }), whyNothing(code)];
}

function whyNothing(code: string): string {
  if (code === 'ECONNREFUSED') return m.operator_doctor_why_refused();
  if (/^(?:ENOTFOUND|EAI_AGAIN)$/.test(code)) return m.operator_doctor_why_not_found();
  if (/^(?:ECONNRESET|EPROTO|HPE_|ERR_SSL)/.test(code)) return m.operator_doctor_why_protocol();
  if (/^(?:ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ABORT_ERR|TimeoutError)/.test(code))
    return m.operator_doctor_why_out_of_reach();
  return m.operator_doctor_why_other();
}

/** The service's own clock: the header `Date` is the proxy's. */
function clockOf({ text, headers }: Answer): Finding {
  const [, said = headers.date ?? ''] = /"venue":\{[^}]*"date":"([^"]+)"/.exec(text) ?? [];
  const late = Date.now() - Date.parse(said);
  if (Number.isNaN(late)) return told(m.operator_doctor_clock_untold());
  if (Math.abs(late) < MAX_CLOCK_MS) return well(m.operator_doctor_clock());
  return wrong(
    m.operator_doctor_clock_wrong({ count: Math.round(Math.abs(late) / 60_000) }),
    m.operator_doctor_clock_wrong_why(),
  );
}

/** A documentation address, which nobody has. */
const CLAIMED_ADDRESS = '192.0.2.77';

function forwardingOf(place: Place, { text }: Answer): Finding[] {
  const [, isHttps, address] =
    /"venue":\{"https":(true|false),"adresse":"([^"]*)"/.exec(text) ?? [];
  const faults: Finding[] = [];
  if (place.base.protocol === 'https:' && isHttps === 'false')
    faults.push(wrong(m.operator_doctor_https_untold(), m.operator_doctor_https_untold_why()));
  if (address === CLAIMED_ADDRESS)
    faults.push(
      wrong(m.operator_doctor_address_claimed(), m.operator_doctor_address_claimed_why()),
    );
  if (faults.length > 0 || address === undefined) return faults;
  return [well(m.operator_doctor_forwarding())];
}

/** Sends a write without content, as a page of this address would; the service must reach its validation. */
async function examineWrite(place: Place, hasAccounts: boolean): Promise<Finding> {
  const headers = { origin: place.base.origin, 'content-type': 'application/json' };
  const path = hasAccounts ? 'api/connexion' : 'api/livres';
  // Without a key, since the request would be refused because of the key.
  const asked = { method: 'POST', headers, body: '{}' } as const;
  const { status, text } = await ask({ ...place, key: undefined }, path, asked);
  if (text.includes('"REQUETE_INVALIDE"')) return well(m.operator_doctor_writes());
  if (text.includes('"ORIGINE_REFUSEE"'))
    return wrong(m.operator_doctor_writes_refused(), m.operator_doctor_writes_refused_why());
  return wrong(m.operator_doctor_writes_blocked({ status }), m.operator_doctor_post_blocked_why());
}

/** Whether the service answers, or a sign-on layer in its place, and how. */
function doorOf({ base, cookie, user }: Place, { status, headers, text }: Answer): Finding {
  const isJson = headers['content-type']?.includes('json') ?? false;
  if (status === 200 && isJson && text.includes('"etat"'))
    return { ...well(m.operator_doctor_answers()), isService: true };
  // A proxy in front reports it in its own words.
  if (text.includes('"HTTPS_ATTENDU"') || /\bHTTPS (?:port|server)\b|plain HTTP/.test(text))
    return wrong(
      m.operator_doctor_https_awaited(),
      m.operator_doctor_https_awaited_why({ address: `https://${base.host}${base.pathname}` }),
    );
  if (text.includes('"HOTE_INCONNU"'))
    return wrong(
      m.operator_doctor_host_unknown({ host: base.host, status }),
      m.operator_doctor_host_unknown_why({ host: base.hostname }),
    );
  if (text.includes('"BASE_EN_LECTURE_SEULE"'))
    return wrong(m.operator_doctor_read_only(), m.operator_doctor_read_only_why());
  if (text.includes('"CLE_INCONNUE"')) return unknownKey();
  if (isJson) return wrong(m.operator_doctor_unwell({ text }), m.operator_doctor_unwell_why());
  if (status === 502 || status === 503 || status === 504)
    return wrong(m.operator_doctor_proxy_alone({ status }), m.operator_doctor_proxy_alone_why());
  const habit = habitOf(status, headers.location, base);
  if (habit === null)
    return wrong(
      m.operator_doctor_another({ address: `${base.href}api/sante`, status }),
      m.operator_doctor_another_why(),
    );
  if (/^basic\b/i.test(headers['www-authenticate'] ?? ''))
    return user === undefined
      ? told(m.operator_doctor_asks_password())
      : wrong(m.operator_doctor_password_refused(), m.operator_doctor_password_refused_why());
  if (cookie !== undefined)
    return wrong(
      m.operator_doctor_cookie_unknown({ habit }),
      m.operator_doctor_cookie_unknown_why(),
    );
  return told(m.operator_doctor_sign_on({ habit }));
}

function habitOf(status: number, location: string | undefined, base: URL): string | null {
  if (status >= 300 && status < 400 && location !== undefined) {
    const to = new URL(location, base);
    return to.host === base.host
      ? m.operator_doctor_leads_within({ status, place: to.pathname })
      : m.operator_doctor_leads_to({ status, place: to.host });
  }
  return status === 401 || status === 403 ? `${status}` : null;
}

async function examineBase(place: Place): Promise<Finding> {
  const { status, text } = await ask(place, '');
  if (status >= 500)
    return wrong(m.operator_doctor_no_page({ status }), m.operator_doctor_no_page_why());
  const [, told = null] = /\bbase: "([^"]*)"/.exec(text) ?? [];
  const expected = place.base.pathname.replace(/\/$/, '');
  if (told === expected) return well(m.operator_doctor_base({ path: place.base.pathname }));
  return wrong(
    told === null
      ? m.operator_doctor_not_our_page()
      : m.operator_doctor_base_wrong({ path: `${told}/` }),
    m.operator_doctor_base_wrong_why({ path: expected || '/' }),
  );
}

/** With a base path: the response to the address without its final slash. */
async function examineSlash(place: Place): Promise<Finding[]> {
  const path = place.base.pathname.slice(0, -1);
  if (path === '') return [];
  const { status, headers, text } = await ask(place, path);
  const leads = new URL(headers.location ?? '', new URL(path, place.base)).href === place.base.href;
  if ((status >= 300 && status < 400 && leads) || /\bbase: "/.test(text))
    return [well(m.operator_doctor_slash({ path }))];
  return [wrong(m.operator_doctor_no_slash({ path, status }), m.operator_doctor_no_slash_why())];
}

/** The size that cookies of a sign-on layer and of a host's other applications may reach. */
const COOKIES_BYTES = 6_000;

async function examineBuffers(place: Place): Promise<Finding> {
  const cookie = `${place.cookie ?? 'a=b'}; rayonnage-doctor=${'x'.repeat(COOKIES_BYTES)}`;
  const { status } = await ask(place, 'api/sante', { headers: { cookie } });
  if (status === 200) return well(m.operator_doctor_cookies());
  return wrong(
    m.operator_doctor_cookies_refused({ size: COOKIES_BYTES / 1000, status }),
    m.operator_doctor_cookies_refused_why(),
  );
}

async function examineStream(place: Place): Promise<Finding> {
  const stream = await outcomeOf(() =>
    ask(place, 'api/replication/evenements', { isStream: true }),
  );
  if ('text' in stream && stream.text.includes(HEARTBEAT)) return well(m.operator_doctor_stream());
  return wrong(
    m.operator_doctor_stream_held({ seconds: PATIENCE_MS / 1000 }),
    m.operator_doctor_stream_held_why(),
  );
}

async function examineCompression(place: Place): Promise<Finding[]> {
  const { status, headers } = await ask(place, '', { headers: { 'accept-encoding': 'br, gzip' } });
  // A missing page has its own finding.
  if (status >= 500) return [];
  const encoding = headers['content-encoding'];
  if (encoding !== undefined) return [well(m.operator_doctor_compressed({ encoding }))];
  return [wrong(m.operator_doctor_not_compressed(), m.operator_doctor_not_compressed_why())];
}

async function examineWorker(place: Place): Promise<Finding> {
  const { status, headers } = await ask(place, 'service-worker.js');
  if (status === 200 && headers['content-type']?.includes('javascript') === true)
    return well(m.operator_doctor_worker());
  return wrong(m.operator_doctor_no_worker(), m.operator_doctor_no_worker_why());
}

async function examineVersion(place: Place): Promise<Finding[]> {
  const { status, text } = await ask(place, 'api/version');
  // With accounts, strangers get no answer to this.
  if (status === 401) return [];
  const [, number] = /"numero":"([^"]+)"/.exec(text) ?? [];
  return [
    told(
      number === undefined
        ? m.operator_doctor_version_unpublished()
        : m.operator_doctor_version({ number }),
    ),
  ];
}
