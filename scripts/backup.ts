import '#server/start/runtime';
import { m } from '#messages';
import { readConfig } from '#server/config';
import { defaultFolder, makeBackup } from '#server/plumbing/database/backup/backup';
import { readCommandLine, wrongUsage, type Help } from './support/command-line.ts';
import { exitOnError } from './support/exit-on-error.ts';
import { fromCaller } from './support/from-caller.ts';

const HELP: Help = {
  usage: m.operator_backup_usage,
  options: { intended: m.operator_backup_option_intended },
};

/** Backs up the library, with the service running or not; the path of the backup is the last line. */
void exitOnError(async () => {
  const line = readCommandLine(HELP);
  const [place, ...others] = line.positionals;
  const isMeant = line.has('intended');
  if (others.length > 0 || (isMeant && place !== undefined)) throw wrongUsage(HELP);
  const { databasePath, backupPath, coversPath } = readConfig(process.env);
  const ofService = backupPath ?? defaultFolder(databasePath);
  const backup = await makeBackup(
    databasePath,
    place === undefined ? ofService : fromCaller(place),
    { coversPath, isMeant },
  );
  const { schema, livres, couvertures } = backup.manifest;
  const size = (backup.bytes / 1_000_000).toLocaleString(m.intl_locale(), {
    maximumFractionDigits: 1,
  });
  console.log(
    m.operator_backup_made({
      livres: m.count_livres({ count: livres }),
      couvertures: m.count_couvertures({ count: couvertures }),
    }),
  );
  if (isMeant) console.log(m.operator_backup_meant());
  console.log(m.operator_backup_size({ size, schema }));
  console.log(backup.path);
});
