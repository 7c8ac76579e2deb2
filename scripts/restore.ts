import '#server/start/runtime';
import { m } from '#messages';
import { formatLongDay } from '#shared/long-day';
import { readConfig } from '#server/config';
import type { Manifest } from '#server/plumbing/database/backup/file';
import { prepareRestore, restoreBackup } from '#server/plumbing/database/backup/restore';
import type { Transaction } from '#server/plumbing/database/connection';
import { revokeRestoredAccess, type Entries } from '#server/subjects/identity/members';
import { readCommandLine, wrongUsage, type Help } from './support/command-line.ts';
import { exitOnError } from './support/exit-on-error.ts';
import { fromCaller } from './support/from-caller.ts';

const HELP: Help = {
  usage: m.operator_restore_usage,
  options: { dryRun: m.operator_restore_option_dry_run },
};

/**
 * Replaces the household's database by a backup; the service must be stopped. The backup is checked and shown first;
 * a dry run ends there.
 */
void exitOnError(async () => {
  const line = readCommandLine(HELP);
  const [file, ...others] = line.positionals;
  if (file === undefined || others.length > 0) throw wrongUsage(HELP);
  const { databasePath, coversPath } = readConfig(process.env);
  const place = { databasePath, coversPath };
  const path = fromCaller(file);
  let entries: Entries = { membres: [], cles: [] };
  const cleanUp = (tx: Transaction) => void (entries = revokeRestoredAccess(tx));
  if (line.has('dryRun')) {
    const prepared = await prepareRestore(path, place, cleanUp);
    prepared.discard();
    show(prepared.manifest, entries);
    console.log(m.operator_restore_tried());
    return;
  }
  const onPrepared = (manifest: Manifest) => show(manifest, entries);
  const { kept } = await restoreBackup(path, place, { onPrepared, cleanUp });
  if (kept !== null) console.log(m.operator_restore_kept({ path: kept }));
  console.log(m.operator_restore_done({ path: databasePath }));
});

function show({ date, schema, livres, couvertures }: Manifest, { membres, cles }: Entries): void {
  const made = new Date(date);
  const time = made.toLocaleTimeString(m.intl_locale(), { timeStyle: 'short' });
  console.log(m.operator_restore_backup_of({ day: formatLongDay(made), time, schema }));
  const holds = {
    livres: m.count_livres({ count: livres }),
    couvertures: m.count_couvertures({ count: couvertures }),
  };
  console.log(`  ${m.operator_restore_holds(holds)}`);
  if (membres.length > 0)
    console.log(`  ${m.operator_restore_entries({ names: membres.join(', ') })}`);
  if (cles.length > 0) console.log(`  ${m.operator_restore_keys({ names: cles.join(', ') })}`);
}
