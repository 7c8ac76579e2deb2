import './runtime.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { FastifyInstance } from 'fastify';
import { createApp } from '#server/app';
import { ConfigError, readConfig, type Config } from '#server/config';
import { openContext } from '#server/context';
import { UnusableDatabase } from '#server/database/unusable';

/** When connections that have not ended are cut, and when nothing is waited for any more, in
 * milliseconds after the signal; the contract gives five seconds. */
const PATIENCE = 3_000;
const LAST_WORD = 4_000;

async function start(config: Config): Promise<void> {
  let end = (): void => process.exit(0);
  process.on('SIGTERM', () => end());
  process.on('SIGINT', () => end());
  const context = sparingly(() => openContext(config));
  const app = await createApp(context);
  await app.listen({ host: config.host, port: config.port });
  end = () => {
    // Ctrl-C can come twice: from the terminal, and passed on by whoever started this.
    end = () => undefined;
    void stop(app, () => context.base.close());
  };
  process.stdout.write(`Rayonnage est ouvert : ${address(app, config)}\n`);
}

/**
 * Reading a large catalogue makes much that is forgotten at once, and V8 would keep the room for it
 * ever after: a third of the process with 100,000 books. Meanwhile it is told to keep its heap small.
 */
function sparingly<T>(work: () => T): T {
  setFlagsFromString('--optimize-for-size');
  try {
    return work();
  } finally {
    setFlagsFromString('--no-optimize-for-size');
  }
}

/** Answers what is under way, lets go of every connection, then of the database. */
async function stop(app: FastifyInstance, close: () => void): Promise<void> {
  setTimeout(() => app.server.closeAllConnections(), PATIENCE).unref();
  await Promise.race([app.close(), delay(LAST_WORD)]);
  close();
  process.exit(0);
}

function address(app: FastifyInstance, { host, tls }: Config): string {
  const bound = app.server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : '';
  return `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** One line for the operator: what stops the start, without the way it took through the code. */
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
  process.stderr.write(`${sentence(error)}\n`);
  process.exit(1);
}
