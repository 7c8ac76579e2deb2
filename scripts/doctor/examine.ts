import { examineAccounts } from './accounts.ts';
import { ask, handshake, PATIENCE_MS, type Answer, type Place } from './ask.ts';
import { told, well, wrong, type Finding } from './finding.ts';

const DAY_MS = 86_400_000;
/** A certificate that is not renewed by then has been forgotten. */
const MIN_VALID_DAYS = 10;
const MAX_CLOCK_MS = 120_000;

/** Headers in which sign-ons say who is calling; each is claimed to be someone else. */
const IDENTITY = ['SSO_USER', 'Remote-User', 'X-Forwarded-User', 'X-authentik-username']
  .concat(['YNH_USER', 'Tailscale-User-Login', 'X-Forwarded-Preferred-Username'])
  .map((name) => [name, `rayonnage-doctor-${name.toLowerCase()}`] as const);

/** What a phone will meet at an address, in the order in which it meets it. */
export async function* examine(place: Place): AsyncGenerator<Finding> {
  const secure = await examineTransport(place);
  yield* secure;
  if (secure.some(({ kind }) => kind === 'wrong') && place.base.protocol === 'https:') return;
  const health = await attempt(() => ask(place, 'api/sante'));
  if (!('status' in health)) {
    yield wrong(
      `Rien ne répond à ${place.base.href} (${health.reason}).`,
      'Le mandataire ou le service est arrêté, ou l’adresse n’est pas la bonne.',
    );
    return;
  }
  yield clockOf(health);
  yield* await examineIdentity(place);
  const door = doorOf(place, health);
  yield door;
  if (door.kind !== 'well') return;
  const accounts = await examineAccounts(place);
  yield* accounts;
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
  const shaken = await attempt(() => handshake(place));
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
  return [`La connexion chiffrée n’aboutit pas (${code}).`, 'Aucun téléphone n’ouvrira la page.'];
}

/** Sessions and certificates depend on the hour. */
function clockOf({ headers }: Answer): Finding {
  const late = Date.now() - Date.parse(headers.date ?? '');
  if (Number.isNaN(late)) return told('Le serveur ne dit pas l’heure qu’il est.');
  if (Math.abs(late) < MAX_CLOCK_MS) return well('L’horloge du serveur est à l’heure.');
  return wrong(
    `L’horloge du serveur et celle d’ici diffèrent de ${Math.round(Math.abs(late) / 60_000)} minutes.`,
    'Une connexion unique refuse alors des sessions valables, et les dates des prêts sont fausses.',
  );
}

async function examineIdentity(place: Place): Promise<Finding[]> {
  const answer = await attempt(() =>
    ask(place, 'api/moi', { headers: Object.fromEntries(IDENTITY) }),
  );
  const text = 'text' in answer ? answer.text : '';
  const passed = IDENTITY.filter(([, claim]) => text.includes(claim)).map(([name]) => name);
  if (passed.length === 0)
    return [well('Personne ne peut se faire passer pour un autre par un en-tête.')];
  return [
    wrong(
      `L’en-tête ${passed.join(', ')} d’un visiteur arrive au service.`,
      'Quiconque l’envoie est pris pour la personne qu’il nomme : le mandataire doit l’ôter avant de mettre le sien.',
    ),
  ];
}

/** Whether the service answers, or a sign-on in its place, and in which of its habits. */
function doorOf({ base, cookie, user }: Place, { status, headers, text }: Answer): Finding {
  const isJson = headers['content-type']?.includes('json') ?? false;
  if (status === 200 && isJson && text.includes('"etat"'))
    return well('Le service répond, et sa base prend les écritures.');
  if (isJson)
    return wrong(
      `Le service ne va pas bien : ${text}`,
      'Voir « /api/sante » et le journal du service.',
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

/** Below a path: what a reader meets who types the address without its last slash. */
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

/** As large as the cookies of a sign-on become with those of a host’s other applications. */
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
  const stream = await attempt(() => ask(place, 'api/replication/evenements', { isStream: true }));
  if ('text' in stream && stream.text.includes('ouvert'))
    return well('Le flux d’événements passe sans être retenu.');
  return wrong(
    `Le flux d’événements n’arrive pas en ${PATIENCE_MS / 1000} secondes.`,
    'Le mandataire le retient (« proxy_buffering off » avec nginx) : ce qu’un appareil change se voit ailleurs après une minute.',
  );
}

async function examineCompression(place: Place): Promise<Finding[]> {
  const { status, headers } = await ask(place, '', { headers: { 'accept-encoding': 'br, gzip' } });
  // A page that does not come is told already.
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
  // Of a house with accounts strangers are not told it.
  if (status === 401) return [];
  const [, numero = 'de développement'] = /"numero":"([^"]+)"/.exec(text) ?? [];
  return [told(`Version ${numero}.`)];
}

/** The result, or the short name of what kept it from coming. */
async function attempt<T>(work: () => Promise<T>): Promise<T | { readonly reason: string }> {
  try {
    return await work();
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : null;
    return { reason: typeof code === 'string' ? code : String(error) };
  }
}
