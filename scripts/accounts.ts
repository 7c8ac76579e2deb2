import '#server/start/runtime';
import { readConfig, type Config } from '#server/config';
import { Database } from '#server/plumbing/database/database';
import { inspect } from '#server/plumbing/database/migrations';
import { readMigrations } from '#server/plumbing/database/migrations';
import { tables } from '#server/start/kinds';
import { inviteNamed } from '#server/subjects/identity/invitations';
import { changeIdentifiant, isFirst, readers } from '#server/subjects/identity/members';
import { exitOnError } from './support/exit-on-error.ts';
import { counted } from './support/words.ts';

const USAGE = 'accounts [invite NOM | identifier ANCIEN NOUVEAU]';

/**
 * Lists the members and whose lists are whose; makes a new invitation for somebody who cannot sign in; gives a member
 * another identifier, and with it the lists of that name. A service may run meanwhile.
 */
void exitOnError(async () => {
  const [action, ...names] = process.argv.slice(2);
  const database = open(readConfig(process.env));
  try {
    if (action === undefined) list(database);
    else if (action === 'invite' && names.length === 1) invite(database, names[0] ?? '');
    else if (action === 'identifier' && names.length === 2)
      database.write((tx) => changeIdentifiant(tx, names[0] ?? '', names[1] ?? ''));
    else throw new Error(USAGE);
  } finally {
    database.close();
  }
  return Promise.resolve();
});

function open({ databasePath, openLibraryCoversUrl }: Config): Database {
  const migrations = readMigrations();
  if (inspect(databasePath, migrations) !== migrations.length)
    throw new Error(
      `La base ${databasePath} n’est pas celle de cette version : démarrez d’abord le service.`,
    );
  return Database.openBeside({ path: databasePath, coversUrl: openLibraryCoversUrl, tables });
}

function list(database: Database): void {
  for (const { utilisateur, nom, gere, exclu, statuts, lectures, souhaits } of readers(database)) {
    const member =
      nom === null
        ? 'sans compte'
        : [nom, gere && 'gère la maison', exclu && 'n’a plus accès'].filter(Boolean).join(', ');
    const lists = [
      counted(statuts, 'statut'),
      counted(lectures, 'lecture'),
      counted(souhaits, 'souhait'),
    ];
    console.log(`${utilisateur} (${member}) : ${lists.join(', ')}`);
  }
}

function invite(database: Database, nom: string): void {
  const manages = isFirst(database);
  const { jeton, identifiant } = database.write((tx) => inviteNamed(tx, nom, manages));
  console.log(`Pour ${identifiant}, une fois, pendant sept jours, à l’adresse de la maison :`);
  console.log(`/invitation#${jeton}`);
}
