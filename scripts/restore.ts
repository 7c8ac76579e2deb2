import '#server/start/runtime';
import { formatLongDay } from '#shared/text';
import { readConfig } from '#server/config';
import type { Manifest } from '#server/plumbing/database/backup/file';
import { prepareRestore, restoreBackup } from '#server/plumbing/database/backup/restore';
import type { Transaction } from '#server/plumbing/database/connection';
import { endEntries, type Entries } from '#server/subjects/identity/members';
import { exitOnError } from './support/exit-on-error.ts';
import { fromCaller } from './support/from-caller.ts';
import { counted } from './support/words.ts';

const USAGE = 'restore FICHIER [--essai]';

/**
 * Puts a backup in the place of the household's database; the service must be stopped. The backup is checked and shown
 * first; a dry run ends there.
 */
void exitOnError(async () => {
  const args = process.argv.slice(2);
  const [file, ...others] = args.filter((arg) => arg !== '--essai');
  if (file === undefined || others.length > 0 || file.startsWith('-')) throw new Error(USAGE);
  const { databasePath, coversPath } = readConfig(process.env);
  const place = { databasePath, coversPath };
  const path = fromCaller(file);
  let entries: Entries = { membres: [], cles: [] };
  const cleanUp = (tx: Transaction) => void (entries = endEntries(tx));
  if (args.includes('--essai')) {
    const prepared = await prepareRestore(path, place, cleanUp);
    prepared.discard();
    show(prepared.manifest, entries);
    console.log('Essai : la sauvegarde est entière, rien n’est changé.');
    return;
  }
  const onPrepared = (manifest: Manifest) => show(manifest, entries);
  const { kept } = await restoreBackup(path, place, { onPrepared, cleanUp });
  if (kept !== null) console.log(`Ce qui était là est gardé : ${kept}`);
  console.log(`Remise en place : ${databasePath}`);
});

function show({ date, schema, livres, couvertures }: Manifest, { membres, cles }: Entries): void {
  const made = new Date(date);
  const time = made.toLocaleTimeString('fr', { timeStyle: 'short' });
  console.log(`Sauvegarde du ${formatLongDay(made)} à ${time} (schéma ${schema}) :`);
  console.log(`  ${counted(livres, 'livre')}, ${counted(couvertures, 'couverture')}.`);
  if (membres.length > 0)
    console.log(`  Entrent par elle, à se reconnecter tous : ${membres.join(', ')}.`);
  if (cles.length > 0) console.log(`  Clés qui servent par elle : ${cles.join(', ')}.`);
}
