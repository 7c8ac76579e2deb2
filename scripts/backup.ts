import '#server/start/runtime';
import { readConfig } from '#server/config';
import { defaultFolder, makeBackup } from '#server/plumbing/database/backup/backup';
import { attempt } from './support/attempt.ts';
import { fromCaller } from './support/from-caller.ts';
import { counted } from './support/words.ts';

const USAGE = 'backup [DOSSIER]';

/** Whether a service runs or not; the path of the backup is the last line. */
void attempt(async () => {
  const [folder, ...others] = process.argv.slice(2);
  if (others.length > 0 || folder?.startsWith('-')) throw new Error(USAGE);
  const { databasePath, backupPath, coversPath } = readConfig(process.env);
  const backup = await makeBackup(
    databasePath,
    folder === undefined ? (backupPath ?? defaultFolder(databasePath)) : fromCaller(folder),
    { coversPath },
  );
  const { schema, livres, couvertures } = backup.manifest;
  const size = (backup.bytes / 1_000_000).toLocaleString('fr', { maximumFractionDigits: 1 });
  console.log(
    `Sauvegarde faite et relue : ${counted(livres, 'livre')}, ${counted(couvertures, 'couverture')}.`,
  );
  console.log(`${size} Mo, schéma ${schema}.`);
  console.log(backup.path);
});
