import type { EtatDuService } from '#shared/sante';
import type { Config } from '#server/config';
import type { Covers } from '#server/subjects/couvertures/domain/covers';
import { defaultFolder } from '#server/plumbing/database/backup/backup';
import type { Database } from '#server/plumbing/database/database';
import { readBackups } from '#server/subjects/sauvegardes/domain/sauvegardes';

interface Parts {
  readonly config: Config;
  readonly covers: Covers;
  readonly database: Database;
}

export function etatDuService({ config, covers, database }: Parts): EtatDuService {
  const folder = config.backupPath ?? defaultFolder(config.databasePath);
  return {
    schema: database.health.schema,
    revision: database.revision(),
    couverturesEnAttente: covers.fetcher.etat().attente,
    derniereSauvegarde: readBackups(folder).derniere?.date ?? null,
    placeLibre: database.health.freeBytes,
  };
}

/** The same as Prometheus reads it, with what this process takes. */
export function metricsOf(etat: EtatDuService, isWell: boolean): string {
  const { user, system } = process.cpuUsage();
  const { derniereSauvegarde: backup } = etat;
  const gauges: readonly (readonly [name: string, help: string, value: number])[] = [
    ['rayonnage_up', '1 where the database answers and takes writes.', isWell ? 1 : 0],
    ['rayonnage_schema', 'Number of the last migration.', etat.schema],
    ['rayonnage_journal_revision', 'Revision of the last change.', etat.revision],
    ['rayonnage_covers_waiting', 'Covers that are still to be fetched.', etat.couverturesEnAttente],
    ['rayonnage_disk_free_bytes', 'Room on the disk of the database.', etat.placeLibre],
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
