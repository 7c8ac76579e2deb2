import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { Value } from 'typebox/value';
import { lireBibliotheque, nommerBibliotheque } from '#shared/bibliotheque';
import { emptyToNull } from '#shared/fields';
import type { Locale } from '#shared/locale';
import { choisirLangue } from '#shared/langue';
import { lireMoi } from '#shared/moi';
import { Refusal } from '#shared/refusals';
import { lireResume, type Resume } from '#shared/resume';
import { lireSante, type EtatDuService } from '#shared/sante';
import { STATUTS } from '#shared/statuts';
import { lireVersion, Version } from '#shared/version';
import type { Config } from '#server/config';
import { defaultFolder } from '#server/plumbing/database/backup/backup';
import type { Database } from '#server/plumbing/database/database';
import type { Reader } from '#server/plumbing/database/connection';
import { EventLoopDelay } from '#server/plumbing/common/event-loop-delay';
import { toRefusal } from '#server/plumbing/http/framework';
import { mount } from '#server/plumbing/http/mount';
import { answer, operation, read } from '#server/plumbing/writes/operations';
import { hostOf, isLoopback, THIS_MACHINE, type ProxyList } from '#server/plumbing/http/identity';
import type { Covers } from '#server/subjects/couvertures/couvertures';
import { householdNow, readBackups } from '#server/subjects/sauvegardes';

/** docs/rules.md § 31 */
export const nomOf = (database: Reader, { libraryName }: Pick<Config, 'libraryName'>): string =>
  database.value<string>('SELECT nom FROM Bibliotheque') ?? libraryName;

/**
 * The language that a reader has chosen for all devices (docs/rules.md § 61); `undefined` without one, or for an
 * unknown reader.
 */
export const langueOf = (database: Reader, utilisateur: string | null): Locale | undefined =>
  utilisateur === null
    ? undefined
    : database.value<Locale>('SELECT langue FROM Langue WHERE utilisateur = ?', utilisateur);

const UNPUBLISHED: Version = {
  numero: null,
  publiee: false,
  dateConstruction: null,
  construction: null,
};

/**
 * The version written by the build beside the client. Only a build with a given number and date counts as published;
 * the runtime environment has no effect (docs/rules.md § 32).
 */
function readBuiltVersion(clientPath: string): Version {
  try {
    const written: unknown = JSON.parse(readFileSync(join(clientPath, 'version.json'), 'utf8'));
    if (!Value.Check(Version, written)) return UNPUBLISHED;
    const { numero, dateConstruction: date, construction } = written;
    if (!numero || !date) return { ...UNPUBLISHED, construction };
    const dateConstruction = new Date(date).toISOString();
    return { numero, publiee: true, dateConstruction, construction };
  } catch {
    return UNPUBLISHED;
  }
}

const LATEST = 5;

function readResume(database: Reader, utilisateur: string | null): Resume {
  const count = (from: string, ...params: unknown[]): number =>
    database.value<number>(`SELECT count(*) FROM ${from}`, ...params) ?? 0;
  const own = 'WHERE utilisateur = ?';
  return {
    livres: count('Livre WHERE emprunteA IS NULL'),
    prets: count('Pret WHERE dateRetour IS NULL'),
    enCours: count(`Statut ${own} AND statut = ?`, utilisateur, STATUTS.enCours),
    aLire: count(`Statut ${own} AND statut = ?`, utilisateur, STATUTS.aLire),
    souhaits: count(`Souhait ${own}`, utilisateur) + count(`RevueSouhaitee ${own}`, utilisateur),
    derniersAjouts: database
      .all<{ id: number; titre: string }>(
        'SELECT id, titre FROM Livre ORDER BY dateAjout DESC, id DESC LIMIT ?',
        LATEST,
      )
      .map((livre) => ({
        ...livre,
        auteurs: database.values<string>(
          `SELECT a.nom FROM LivreAuteur l JOIN Auteur a ON a.id = l.auteurId
           WHERE l.livreId = ? ORDER BY l.position`,
          livre.id,
        ),
      })),
  };
}

interface InstallationContext {
  readonly config: Config;
  readonly covers: Covers;
  readonly database: Database;
}

function etatDuService(
  { config, covers, database }: InstallationContext,
  turns: EventLoopDelay,
): EtatDuService {
  const folder = config.backupPath ?? defaultFolder(config.databasePath);
  return {
    schema: database.health.schema,
    revision: database.revision(),
    couverturesEnAttente: covers.fetcher.etat().attente,
    derniereSauvegarde: readBackups(folder, householdNow(database)).derniere?.date ?? null,
    placeLibre: database.health.freeBytes,
    plusLongTour: turns.longest,
  };
}

/** The state of the service in Prometheus' format, with the memory and processor time of this process. */
function metricsOf(etat: EtatDuService, isWell: boolean): string {
  const { user, system } = process.cpuUsage();
  const { derniereSauvegarde: backup } = etat;
  const gauges: readonly (readonly [name: string, help: string, value: number])[] = [
    ['rayonnage_up', '1 where the database answers and takes writes.', isWell ? 1 : 0],
    ['rayonnage_schema', 'Number of the last migration.', etat.schema],
    ['rayonnage_journal_revision', 'Revision of the last change.', etat.revision],
    ['rayonnage_covers_waiting', 'Covers that are still to be fetched.', etat.couverturesEnAttente],
    ['rayonnage_disk_free_bytes', 'Room on the disk of the database.', etat.placeLibre],
    [
      'rayonnage_longest_turn_seconds',
      'The longest time since the start in which nobody was answered.',
      etat.plusLongTour / 1000,
    ],
    [
      'rayonnage_last_backup_timestamp_seconds',
      'When the newest backup was made; 0 where there is none.',
      backup === null ? 0 : Date.parse(backup) / 1000,
    ],
    ['process_resident_memory_bytes', 'Memory of the process.', process.memoryUsage.rss()],
    ['process_cpu_seconds', 'Processor time of the process.', (user + system) / 1e6],
    ['process_start_time_seconds', 'When it started.', performance.timeOrigin / 1000],
  ];
  return gauges
    .map(
      ([name, help, value]) => `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${value}\n`,
    )
    .join('');
}

const FORWARDING = [
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-real-ip',
  'forwarded',
  'via',
];

/**
 * Whether a request comes without a proxy: it has no forwarding header, and either its connection is not from a
 * trusted proxy, or it names this machine in HTTP 1.1, unlike a proxy without such headers.
 */
function isDirect({ headers, raw, socket }: FastifyRequest, proxies: ProxyList): boolean {
  if (FORWARDING.some((name) => headers[name] !== undefined)) return false;
  if (!proxies.trusts(socket.remoteAddress)) return true;
  const asked = URL.parse(`http://${hostOf(headers)}`)?.hostname ?? '';
  return raw.httpVersion !== '1.0' && isLoopback(asked);
}

const hasKey = ({ credential }: FastifyRequest): boolean => credential?.session === null;

const SAID = ['BASE_EN_LECTURE_SEULE', 'BASE_ABIMEE', 'DISQUE_EN_PANNE'] as const;

/**
 * The database's problem; `null` if it answers and accepts writes. A full disk has the status 503 here, as monitoring
 * programs expect.
 */
function illnessOf(database: Database, report: (error: unknown) => void): Refusal | null {
  try {
    database.verify();
    return null;
  } catch (error) {
    report(error);
    const { code } = toRefusal(error instanceof Error ? error : {});
    if (code === 'DISQUE_PLEIN') return new Refusal('DISQUE_PLEIN').with({ status: 503 });
    return new Refusal(SAID.find((known) => known === code) ?? 'BASE_INJOIGNABLE');
  }
}

const DOCUMENTATION = '/api/documentation';

/** Documents every operation mounted later. Built on the first request: few households need it, and it takes 0.1 s. */
export function addDocumentation(app: FastifyInstance, basePath: string): void {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    const { endpoint, documented } = route.config ?? {};
    if ((endpoint ?? documented) !== undefined && route.method !== 'HEAD') routes.push(route);
  });
  let documentation: Promise<FastifyInstance> | undefined;
  const answer = async ({ url, headers }: FastifyRequest, reply: FastifyReply) => {
    documentation ??= import('./documentation.ts').then(({ createDocumentation }) =>
      createDocumentation(DOCUMENTATION, routes, basePath),
    );
    // The next request tries again.
    documentation.catch(() => (documentation = undefined));
    const page = await (await documentation).inject({ url, headers });
    const { connection, ...rest } = page.headers;
    if (page.statusCode === 404) reply.callNotFound();
    else await reply.code(page.statusCode).headers(rest).send(page.rawPayload);
    return reply;
  };
  app.get(DOCUMENTATION, answer);
  app.get(`${DOCUMENTATION}/*`, answer);
}

export function routes(app: FastifyInstance, context: InstallationContext): void {
  const { config, database } = context;
  const turns = new EventLoopDelay();
  app.addHook('onListen', async () => turns.begin());
  app.addHook('onClose', async () => turns.end());
  app.addHook('onError', (_request, _reply, error, next) => {
    if (toRefusal(error).code === 'BASE_ABIMEE') database.health.doubt();
    next();
  });

  mount(app, [
    read(lireSante, {
      may: 'anyone',
      run: ({ request }) => {
        const illness = illnessOf(database, (error) => request.log.error(error));
        if (illness !== null) throw illness;
        const asksHere =
          isDirect(request, config.proxies) && THIS_MACHINE.trusts(request.socket.remoteAddress);
        return {
          etat: 'ok',
          ...((asksHere || hasKey(request)) && { service: etatDuService(context, turns) }),
        } as const;
      },
    }),
  ]);

  if (config.metrics)
    app.get('/metrics', { config: { may: 'anyone' } }, (request, reply) => {
      app.assert(isDirect(request, config.proxies) || hasKey(request), 404);
      const isWell = illnessOf(database, () => undefined) === null;
      const metrics = metricsOf(etatDuService(context, turns), isWell);
      return reply.type('text/plain; version=0.0.4; charset=utf-8').send(metrics);
    });

  mount(app, [
    read(lireMoi, {
      may: 'household',
      run: ({ request: { identity } }) => {
        const langue = langueOf(database, identity.utilisateur);
        return { ...identity, ...(langue !== undefined && { langue }) };
      },
    }),
    operation(choisirLangue, {
      may: 'self',
      run: (tx, { body, utilisateur }) => {
        tx.run(
          `INSERT INTO Langue (utilisateur, langue) VALUES (@utilisateur, @langue)
       ON CONFLICT (utilisateur) DO UPDATE SET langue = excluded.langue`,
          { utilisateur, langue: body.langue },
        );
        return answer();
      },
    }),
    read(lireResume, {
      may: 'household',
      run: ({ utilisateur }) => database.read(() => readResume(database, utilisateur)),
    }),
    read(lireBibliotheque, { may: 'household', run: () => ({ nom: nomOf(database, config) }) }),
    operation(nommerBibliotheque, {
      may: 'household',
      run: (tx, { body }) => {
        const nom = emptyToNull(body.nom);
        if (nom === null) tx.run('DELETE FROM Bibliotheque');
        else
          tx.run(
            `INSERT INTO Bibliotheque (id, nom) VALUES (1, ?)
         ON CONFLICT (id) DO UPDATE SET nom = excluded.nom`,
            nom,
          );
        return answer({ nom: nomOf(tx, config) });
      },
    }),
  ]);

  const version = readBuiltVersion(config.clientPath);
  mount(app, [read(lireVersion, { may: 'household', run: () => version })]);
}
