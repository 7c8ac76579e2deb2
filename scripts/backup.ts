import '#server/start/runtime';
import { readConfig } from '#server/config';
import { defaultFolder, makeBackup } from '#server/plumbing/database/backup/backup';
import { exitOnError } from './support/exit-on-error.ts';
import { fromCaller } from './support/from-caller.ts';
import { counted } from './support/words.ts';

const USAGE = 'backup [DOSSIER | --voulu]';

/** Whether a service runs or not; the path of the backup is the last line. */
void exitOnError(async () => {
  const [place, ...others] = process.argv.slice(2);
  const isMeant = place === '--voulu';
  if (others.length > 0 || (place?.startsWith('-') && !isMeant)) throw new Error(USAGE);
  const { databasePath, backupPath, coversPath } = readConfig(process.env);
  const ofService = backupPath ?? defaultFolder(databasePath);
  const backup = await makeBackup(
    databasePath,
    place === undefined || isMeant ? ofService : fromCaller(place),
    { coversPath, isMeant },
  );
  const { schema, livres, couvertures } = backup.manifest;
  const size = (backup.bytes / 1_000_000).toLocaleString('fr', { maximumFractionDigits: 1 });
  console.log(
    `Sauvegarde faite et relue : ${counted(livres, 'livre')}, ${counted(couvertures, 'couverture')}.`,
  );
  if (isMeant)
    console.log('Noté : la bibliothèque est bien ainsi. Les nuits d’avant s’en iront à leur tour.');
  console.log(`${size} Mo, schéma ${schema}.`);
  console.log(backup.path);
});
