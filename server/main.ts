import '#server/start/runtime';
import { ConfigError, readConfig } from '#server/config';
import type { Upgrade } from '#server/plumbing/database/migrations';
import { UnusableDatabase } from '#server/plumbing/database/unusable';
import { Service } from '#server/service';

async function start(): Promise<void> {
  const config = readConfig(process.env);
  let end = (): void => process.exit(0);
  const listen = (): void => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => end());
  };
  // Opening is synchronous and may take long: a handler would run only after it. So the system's own action stays in
  // place, which ends the process at once. The first process of a container has no such action.
  const isInit = process.pid === 1;
  if (isInit) listen();
  const service = new Service(config, fail);
  if (!isInit) listen();
  if (service.upgrade !== null) process.stdout.write(`${upgraded(service.upgrade)}\n`);
  await service.listen();
  end = () => {
    // Ctrl-C may arrive twice: from the terminal, and passed on by the parent process.
    end = () => undefined;
    void service.close().then(() => process.exit(0));
  };
  process.stdout.write(`Rayonnage est ouvert : ${service.url}\n${nights(config.backupPath)}\n`);
  for (const notice of service.notices) process.stdout.write(`${notice}\n`);
  if (service.welcome !== null) process.stdout.write(`${service.welcome}\n`);
}

function nights(folder: string | null): string {
  return folder === null
    ? 'Aucune sauvegarde ne se fait la nuit (BACKUP_PATH=non).'
    : `Une sauvegarde chaque nuit dans ${folder}, sur ce disque seulement (BACKUP_PATH).`;
}

function upgraded({ from, to, durationMs, copy }: Upgrade): string {
  const seconds = (durationMs / 1000).toLocaleString('fr', { maximumFractionDigits: 1 });
  return `La base est passée du schéma ${from} au ${to} en ${seconds} s. Telle qu’elle était, elle est gardée : ${copy}`;
}

function fail(error: unknown): never {
  process.stderr.write(`${sentence(error)}\n`);
  process.exit(1);
}

function sentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code: unknown = Reflect.get(error, 'code');
  if (error instanceof ConfigError) return oneLine(error);
  if (error instanceof UnusableDatabase) return `Réglage ${error.setting} : ${oneLine(error)}`;
  if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL')
    return 'Réglage HOST : ce n’est pas une adresse de cette machine.';
  if (code === 'EADDRINUSE') return 'Réglage PORT : ce port est déjà pris par un autre programme.';
  if (code === 'EACCES') return 'Réglage PORT : le système refuse ce port.';
  return `Le serveur ne démarre pas : ${oneLine(error)}`;
}

function oneLine({ message }: Error): string {
  return message.replace(/\s+/g, ' ');
}

start().catch(fail);
