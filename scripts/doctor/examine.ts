import { HEARTBEAT } from '#shared/replication';
import { examineAccounts } from './accounts.ts';
import { ask, outcomeOf, handshake, PATIENCE_MS, type Answer, type Place } from './ask.ts';
import { told, well, wrong, type Finding } from './finding.ts';
import { examineIdentity } from './identity.ts';

const DAY_MS = 86_400_000;
/** A certificate that is not renewed by then has been forgotten. */
const MIN_VALID_DAYS = 10;
const MAX_CLOCK_MS = 120_000;

export async function* examine(place: Place): AsyncGenerator<Finding> {
  const secure = await examineTransport(place);
  yield* secure;
  if (secure.some(({ kind }) => kind === 'wrong') && place.base.protocol === 'https:') return;
  const health = await outcomeOf(() => ask(place, 'api/sante'));
  if (!('status' in health)) {
    yield wrong(
      `Rien ne répond à ${place.base.href} (${health.reason}).`,
      whyNothing(health.reason),
    );
    return;
  }
  yield await examineIdentity(place);
  const door = doorOf(place, health);
  yield door;
  if (door.kind !== 'well') return;
  const arrival = await ask(place, 'api/connexion', {
    headers: { 'x-forwarded-for': CLAIMED_ADDRESS },
  });
  yield clockOf(arrival);
  yield* forwardingOf(place, arrival);
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

async function examineTransport(place: Place): Promise<Finding[]> {
  if (place.base.protocol !== 'https:')
    return [
      wrong(
        'L’adresse est en HTTP, sans chiffrement.',
        'Un navigateur n’y garde rien pour la lecture hors ligne, et l’appareil photo ne lit pas de code-barres.',
      ),
    ];
  const shaken = await outcomeOf(() => handshake(place));
  if ('reason' in shaken) return [wrong(...certificateFault(shaken.reason, place.base.hostname))];
  const days = Math.floor((Date.parse(shaken.certificate.valid_to) - Date.now()) / DAY_MS);
  return [
    days < MIN_VALID_DAYS
      ? wrong(
          `Le certificat n’est plus bon que ${days} jour${days > 1 ? 's' : ''}.`,
          'Il aurait dû être renouvelé de lui-même : sans cela les téléphones refuseront la page.',
        )
      : well(`HTTPS, avec un certificat reconnu, bon encore ${days} jours.`),
    shaken.isHttp2
      ? well('HTTP/2 est parlé.')
      : told('HTTP/2 n’est pas parlé : les couvertures d’une longue liste arrivent moins vite.'),
  ];
}

function certificateFault(code: string, hostname: string): [sentence: string, why: string] {
  if (code === 'CERT_HAS_EXPIRED')
    return [
      'Le certificat a expiré.',
      'Les téléphones refusent la page jusqu’à ce qu’il soit renouvelé.',
    ];
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return [
      `Le certificat n’est pas au nom de ${hostname}.`,
      'Un navigateur prévient d’une usurpation, et ne garde rien pour la lecture hors ligne.',
    ];
  if (/SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)/.test(code))
    return [
      'Le certificat vient d’une autorité que cette machine ne connaît pas.',
      'Chaque téléphone doit la connaître, sinon il ne garde rien pour la lecture hors ligne. Donnez-la ici par --ca pour la suite de l’examen.',
    ];
  return [`La connexion chiffrée n’aboutit pas (${code}).`, whyNothing(code)];
}

function whyNothing(code: string): string {
  if (code === 'ECONNREFUSED')
    return 'Rien n’écoute à ce port : le mandataire est arrêté (« systemctl status nginx »), ou le port n’est pas le bon.';
  if (/^(?:ENOTFOUND|EAI_AGAIN)$/.test(code))
    return 'Ce nom ne mène nulle part : il manque au DNS ou au fichier « hosts » de cette machine, ou il est mal écrit.';
  if (/^(?:ECONNRESET|EPROTO|HPE_|ERR_SSL)/.test(code))
    return 'Ce port parle sans doute l’autre protocole : essayez « https:// » à la place de « http:// », ou l’inverse.';
  if (/^(?:ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ABORT_ERR|TimeoutError)/.test(code))
    return 'La machine ne se joint pas d’ici : un pare-feu, une autre adresse, ou elle est éteinte.';
  return 'Le mandataire ou le service est arrêté, ou l’adresse n’est pas la bonne.';
}

/** The service's own clock: the header `Date` is the proxy's. */
function clockOf({ text, headers }: Answer): Finding {
  const [, said = headers.date ?? ''] = /"venue":\{[^}]*"date":"([^"]+)"/.exec(text) ?? [];
  const late = Date.now() - Date.parse(said);
  if (Number.isNaN(late)) return told('Le serveur ne dit pas l’heure qu’il est.');
  if (Math.abs(late) < MAX_CLOCK_MS) return well('L’horloge du serveur est à l’heure.');
  return wrong(
    `L’horloge du serveur et celle d’ici diffèrent de ${Math.round(Math.abs(late) / 60_000)} minutes.`,
    'Une connexion unique refuse alors des sessions valables, et les dates des prêts sont fausses : « timedatectl set-ntp true » la règle.',
  );
}

/** An address for documentation, which nobody has. */
const CLAIMED_ADDRESS = '192.0.2.77';

function forwardingOf(place: Place, { text }: Answer): Finding[] {
  const [, isHttps, address] =
    /"venue":\{"https":(true|false),"adresse":"([^"]*)"/.exec(text) ?? [];
  const faults: Finding[] = [];
  if (place.base.protocol === 'https:' && isHttps === 'false')
    faults.push(
      wrong(
        'Le service ne sait pas que la page vient par HTTPS.',
        'Le mandataire doit le dire (« proxy_set_header X-Forwarded-Proto $scheme » avec nginx) : sinon le cookie d’une session peut partir sans chiffrement.',
      ),
    );
  if (address === CLAIMED_ADDRESS)
    faults.push(
      wrong(
        'L’adresse qu’un visiteur dit avoir arrive au service (« X-Forwarded-For »).',
        'Le mandataire doit l’ôter et mettre la vraie (« proxy_set_header X-Forwarded-For $remote_addr » avec nginx), et TRUSTED_PROXIES ne nommer que lui : sinon qui devine des mots de passe n’attend jamais.',
      ),
    );
  if (faults.length > 0 || address === undefined) return faults;
  return [well('Le mandataire dit lui-même d’où vient une demande, et par quoi.')];
}

/** Sends a write without any content, as a page of this address would: it has to arrive as far as its body. */
async function examineWrite(place: Place, hasAccounts: boolean): Promise<Finding> {
  const headers = { origin: place.base.origin, 'content-type': 'application/json' };
  const path = hasAccounts ? 'api/connexion' : 'api/livres';
  // With a key it would be refused because of the key.
  const asked = { method: 'POST', headers, body: '{}' } as const;
  const { status, text } = await ask({ ...place, key: undefined }, path, asked);
  if (text.includes('"REQUETE_INVALIDE"')) return well('Les écritures arrivent au service.');
  if (text.includes('"ORIGINE_REFUSEE"'))
    return wrong(
      'Toute écriture est refusée : le service ne sait pas sous quel hôte la page est ouverte.',
      'Le mandataire doit lui passer « Host » tel quel, port compris (« proxy_set_header Host $http_host » avec nginx).',
    );
  return wrong(
    `Les écritures n’arrivent pas au service (${status}).`,
    'Le mandataire ne laisse pas passer « POST », ou la connexion unique répond à sa place.',
  );
}

/** That the service itself answers under this name. */
export const SERVICE_ANSWERS = well('Le service répond, et sa base prend les écritures.');

/** Whether the service answers, or a sign-on in its place, and in which way. */
function doorOf({ base, cookie, user }: Place, { status, headers, text }: Answer): Finding {
  const isJson = headers['content-type']?.includes('json') ?? false;
  if (status === 200 && isJson && text.includes('"etat"')) return SERVICE_ANSWERS;
  // A proxy in front says it in its own words.
  if (text.includes('"HTTPS_ATTENDU"') || /\bHTTPS (?:port|server)\b|plain HTTP/.test(text))
    return wrong('Ce port attend HTTPS.', `L’adresse est https://${base.host}${base.pathname}.`);
  if (text.includes('"HOTE_INCONNU"'))
    return wrong(
      `Le service ne connaît pas le nom ${base.host} (${status}).`,
      `Nommez-le dans ses réglages : ALLOWED_HOSTS=${base.hostname}.`,
    );
  if (text.includes('"BASE_EN_LECTURE_SEULE"'))
    return wrong(
      'Le service ne peut pas écrire sa base.',
      'Ses fichiers sont à un autre compte, comme après une commande lancée par root : le journal du service donne la ligne qui les rend au sien, « sudo chown -R … ».',
    );
  if (isJson)
    return wrong(
      `Le service ne va pas bien : ${text}`,
      'Voir « /api/sante » et le journal du service.',
    );
  if (status === 502 || status === 503 || status === 504)
    return wrong(
      `Le mandataire répond, le service derrière lui non (${status}).`,
      'Il est arrêté (« systemctl status rayonnage » dit pourquoi), ou le mandataire le cherche à un autre port.',
    );
  const habit = habitOf(status, headers.location, base);
  if (habit === null)
    return wrong(
      `Ce n’est pas Rayonnage qui répond à ${base.href}api/sante (${status}).`,
      'L’adresse n’est pas celle du service, ou le mandataire ne le trouve pas (réglage BASE_PATH).',
    );
  if (/^basic\b/i.test(headers['www-authenticate'] ?? ''))
    return user === undefined
      ? told(
          'Le mandataire demande lui-même un nom et un mot de passe. Pour examiner ce qui est derrière, donnez-les par ' +
            '--user « nom:motdepasse ».',
        )
      : wrong(
          'Le mandataire refuse ce nom ou ce mot de passe.',
          'Il n’est pas dans son fichier, ou le fichier n’est pas celui que lit la configuration.',
        );
  if (cookie !== undefined)
    return wrong(
      `La connexion unique ne reconnaît pas ce cookie : ${habit}.`,
      'La session est finie, ou ce n’est pas son cookie.',
    );
  return told(
    `Une connexion unique garde l’entrée : ${habit}. L’application sait le lire. Pour examiner ce qui est derrière, ` +
      'donnez le cookie d’une session ouverte par --cookie « nom=valeur ».',
  );
}

function habitOf(status: number, location: string | undefined, base: URL): string | null {
  if (status >= 300 && status < 400 && location !== undefined) {
    const to = new URL(location, base);
    return to.host === base.host
      ? `${status} vers ${to.pathname} du même hôte`
      : `${status} vers ${to.host}`;
  }
  return status === 401 || status === 403 ? `${status}` : null;
}

async function examineBase(place: Place): Promise<Finding> {
  const { status, text } = await ask(place, '');
  if (status >= 500)
    return wrong(
      `La page n’arrive pas (${status}), alors que le service répond.`,
      'Ses en-têtes prennent 2 ko : le mandataire en garde moins (« proxy_buffer_size 8k » avec nginx).',
    );
  const [, told = null] = /\bbase: "([^"]*)"/.exec(text) ?? [];
  const expected = place.base.pathname.replace(/\/$/, '');
  if (told === expected) return well(`La page sait où elle vit : ${place.base.pathname}.`);
  return wrong(
    told === null
      ? 'La page n’est pas celle de l’application.'
      : `La page croit vivre à « ${told}/ ».`,
    `Ses liens et ses fichiers ne se trouveront pas : démarrez le service avec BASE_PATH=${expected || '/'}.`,
  );
}

/** Below a path: what a reader gets who types the address without its last slash. */
async function examineSlash(place: Place): Promise<Finding[]> {
  const path = place.base.pathname.slice(0, -1);
  if (path === '') return [];
  const { status, headers, text } = await ask(place, path);
  const leads = new URL(headers.location ?? '', new URL(path, place.base)).href === place.base.href;
  if ((status >= 300 && status < 400 && leads) || /\bbase: "/.test(text))
    return [well(`L’adresse sans barre finale mène aussi à l’application : ${path}.`)];
  const why =
    'Le mandataire doit y mener (« redir /biblio /biblio/ 308 » avec Caddy) : on tape l’adresse ainsi.';
  return [
    wrong(`L’adresse sans barre finale, ${path}, ne mène pas à l’application (${status}).`, why),
  ];
}

/** The size that the cookies of a sign-on and of a host’s other applications may reach. */
const COOKIES_BYTES = 6_000;

async function examineBuffers(place: Place): Promise<Finding> {
  const cookie = `${place.cookie ?? 'a=b'}; rayonnage-doctor=${'x'.repeat(COOKIES_BYTES)}`;
  const { status } = await ask(place, 'api/sante', { headers: { cookie } });
  if (status === 200) return well('Une demande avec de longs cookies passe.');
  return wrong(
    `Une demande dont les cookies prennent ${COOKIES_BYTES / 1000} ko est refusée (${status}).`,
    'Une connexion unique en met autant : agrandissez ce que le mandataire lit d’une demande (« large_client_header_buffers 4 16k » avec nginx).',
  );
}

async function examineStream(place: Place): Promise<Finding> {
  const stream = await outcomeOf(() =>
    ask(place, 'api/replication/evenements', { isStream: true }),
  );
  if ('text' in stream && stream.text.includes(HEARTBEAT))
    return well('Le flux d’événements passe sans être retenu.');
  return wrong(
    `Le flux d’événements n’arrive pas en ${PATIENCE_MS / 1000} secondes.`,
    'Le mandataire le retient (« proxy_buffering off » avec nginx) : ce qu’un appareil change se voit ailleurs après une minute.',
  );
}

async function examineCompression(place: Place): Promise<Finding[]> {
  const { status, headers } = await ask(place, '', { headers: { 'accept-encoding': 'br, gzip' } });
  // That the page does not come is told already.
  if (status >= 500) return [];
  const encoding = headers['content-encoding'];
  if (encoding !== undefined) return [well(`Les réponses sont compressées (${encoding}).`)];
  return [
    wrong(
      'Les réponses ne sont pas compressées.',
      'Le mandataire ôte « Accept-Encoding » : une première copie prend quatre fois plus de temps sur un téléphone.',
    ),
  ];
}

async function examineWorker(place: Place): Promise<Finding> {
  const { status, headers } = await ask(place, 'service-worker.js');
  if (status === 200 && headers['content-type']?.includes('javascript') === true)
    return well('L’application peut être gardée pour la lecture hors ligne.');
  return wrong(
    'Le fichier « service-worker.js » n’arrive pas.',
    'Sans lui rien ne s’ouvre hors ligne : le mandataire ou la connexion unique répond à sa place.',
  );
}

async function examineVersion(place: Place): Promise<Finding[]> {
  const { status, text } = await ask(place, 'api/version');
  // Strangers are not told it where the service has accounts.
  if (status === 401) return [];
  const [, numero = 'de développement'] = /"numero":"([^"]+)"/.exec(text) ?? [];
  return [told(`Version ${numero}.`)];
}
