import '#server/start/runtime';
import { m } from '#messages';
import { LOCALES } from '#shared/locale';
import { ConfigError, readConfig } from '#server/config';
import { describeSystemError } from '#server/plumbing/common/system-errors';
import type { Upgrade } from '#server/plumbing/database/migrations';
import { UnusableDatabase } from '#server/plumbing/database/unusable';
import { inLocale } from '#server/plumbing/http/language';
import { Service } from '#server/service';
import { operatorLocale } from './start/operator.mjs';

async function start(): Promise<void> {
  const config = readConfig(process.env);
  let end = (): void => process.exit(0);
  const listen = (): void => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => end());
  };
  // Opening is synchronous and may take long, and a handler would run only afterwards: the system's
  // default action ends the process at once. The first process of a container has no default
  // action.
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
  const open = m.operator_start_open({ url: service.url });
  process.stdout.write(`${open}\n${nights(config.backupPath)}\n`);
  for (const notice of service.notices) process.stdout.write(`${notice}\n`);
  if (service.welcome !== null) process.stdout.write(`${service.welcome}\n`);
}

const nights = (folder: string | null): string =>
  folder === null ? m.operator_start_no_nights() : m.operator_start_nights({ folder });

function upgraded({ from, to, durationMs, copy }: Upgrade): string {
  const seconds = (durationMs / 1000).toLocaleString(m.intl_locale(), { maximumFractionDigits: 1 });
  return m.operator_start_upgraded({ from, to, seconds, copy });
}

function fail(error: unknown): never {
  process.stderr.write(`${sentence(error)}\n`);
  process.exit(1);
}

function sentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code: unknown = Reflect.get(error, 'code');
  const reason = oneLine(error);
  if (error instanceof ConfigError) return reason;
  if (error instanceof UnusableDatabase)
    return m.operator_start_setting({ setting: error.setting, reason });
  if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL') return m.operator_start_no_address();
  if (code === 'EADDRINUSE')
    return m.operator_start_port_taken({ port: String(Reflect.get(error, 'port')) });
  if (code === 'EACCES' && Reflect.get(error, 'syscall') === 'listen')
    return m.operator_start_port_refused();
  return describeSystemError(error) ?? m.operator_start_not_started({ reason });
}

function oneLine({ message }: Error): string {
  return message.replace(/\s+/g, ' ');
}

// Listeners of the service also write to the operator outside of any request.
inLocale(operatorLocale(process.env, LOCALES), () => void start().catch(fail));
