import './runtime.ts';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { createApp } from '#server/app';
import { ConfigError, readConfig, type Config } from '#server/config';
import { openContext } from '#server/context';
import { UnusableDatabase } from '#server/database/unusable';
import { withSmallHeap } from '#server/domain/small-heap';

/** From the signal to the end of open connections, and to the end of the process, which may take
 * five seconds at most. */
const CLOSE_TIMEOUT_MS = 3_000;
const EXIT_TIMEOUT_MS = 4_000;

async function start(config: Config): Promise<void> {
  let end = (): void => process.exit(0);
  const listen = (): void => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => end());
  };
  // Opening is synchronous and may be long. A handler would run only after it, so the system's own
  // action is left in place, which ends the process at once; the first process of a container has none.
  const isInit = process.pid === 1;
  if (isInit) listen();
  let service: Service | undefined;
  const open = async (port: number): Promise<FastifyInstance> => {
    const context = withSmallHeap(() => openContext(config, restart));
    if (!isInit && service === undefined) listen();
    const app = await createApp(context);
    service = { app, close: () => context.database.close() };
    await app.listen({ host: config.host, port });
    context.covers.fetcher.start();
    return app;
  };
  const restart = (work: () => void): void => {
    if (service === undefined) return;
    const { app, close } = service;
    const { port } = boundTo(app);
    void stop(app, close)
      .then(work)
      .catch((error: unknown) => app.log.error(error, 'Nothing was replaced'))
      .then(() => open(port))
      .catch(fail);
  };
  const app = await open(config.port);
  end = () => {
    // Ctrl-C may come twice: from the terminal, and passed on by the parent process.
    end = () => undefined;
    if (service === undefined) process.exit(0);
    void stop(service.app, service.close).then(() => process.exit(0));
  };
  process.stdout.write(`Rayonnage est ouvert : ${address(app, config)}\n`);
}

/** What is open of the service, another one after a restore. */
interface Service {
  readonly app: FastifyInstance;
  readonly close: () => void;
}

/** Answers the requests under way, then closes the connections and the database. */
async function stop(app: FastifyInstance, close: () => void): Promise<void> {
  setTimeout(() => app.server.closeAllConnections(), CLOSE_TIMEOUT_MS).unref();
  await Promise.race([app.close(), delay(EXIT_TIMEOUT_MS)]);
  close();
}

function address(app: FastifyInstance, { host, tls }: Config): string {
  const { port } = boundTo(app);
  return `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function boundTo({ server }: FastifyInstance): { port: number } {
  const bound = server.address();
  return { port: typeof bound === 'object' && bound !== null ? bound.port : 0 };
}

function fail(error: unknown): never {
  process.stderr.write(`${sentence(error)}\n`);
  process.exit(1);
}

/** One line for the operator: what stops the start, without a stack. */
function sentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code: unknown = Reflect.get(error, 'code');
  if (error instanceof ConfigError) return oneLine(error);
  if (error instanceof UnusableDatabase) return `Réglage DATABASE_PATH : ${oneLine(error)}`;
  if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL')
    return 'Réglage HOST : ce n’est pas une adresse de cette machine.';
  if (code === 'EADDRINUSE') return 'Réglage PORT : ce port est déjà pris par un autre programme.';
  if (code === 'EACCES') return 'Réglage PORT : le système refuse ce port.';
  return `Le serveur ne démarre pas : ${oneLine(error)}`;
}

function oneLine({ message }: Error): string {
  return message.replace(/\s+/g, ' ');
}

try {
  await start(readConfig(process.env));
} catch (error) {
  fail(error);
}
