import '#server/start/runtime';
import { m } from '#messages';
import { readConfig, type Config } from '#server/config';
import { Database } from '#server/plumbing/database/database';
import type { Transaction } from '#server/plumbing/database/connection';
import { inspect } from '#server/plumbing/database/migrations';
import { readMigrations } from '#server/plumbing/database/migrations';
import { tables } from '#server/start/kinds';
import { inviteNamed } from '#server/subjects/identity/invitations';
import { changeIdentifiant, isFirst, readers } from '#server/subjects/identity/members';
import { membreByIdentifiant } from '#server/subjects/identity/sessions';
import { readCommandLine, wrongUsage, type Help } from './support/command-line.ts';
import { exitOnError } from './support/exit-on-error.ts';

const HELP: Help = { usage: m.operator_accounts_usage, options: {} };

/**
 * Lists the members and the owners of lists; creates a new invitation for a member who cannot sign in; changes a
 * member's identifier, which takes over the lists of that name. A service may be running meanwhile.
 */
void exitOnError(async () => {
  const [action, ...names] = readCommandLine(HELP).positionals;
  const database = open(readConfig(process.env));
  try {
    if (action === undefined) list(database);
    else if (action === 'invite' && names.length === 1) await invite(database, names[0] ?? '');
    else if (action === 'identifier' && names.length === 2)
      await rename(database, names[0] ?? '', names[1] ?? '');
    else throw wrongUsage(HELP);
  } finally {
    database.close();
  }
});

function open({ databasePath, openLibraryCoversUrl }: Config): Database {
  const migrations = readMigrations();
  const schema = inspect(databasePath, migrations);
  if (schema === 0) throw new Error(m.operator_accounts_no_library({ path: databasePath }));
  if (schema !== migrations.length)
    throw new Error(m.operator_accounts_other_version({ path: databasePath }));
  return Database.openBeside({ path: databasePath, coversUrl: openLibraryCoversUrl, tables });
}

function list(database: Database): void {
  const all = readers(database);
  if (all.length === 0) console.log(m.operator_accounts_nobody());
  for (const { utilisateur, nom, gere, exclu, statuts, lectures, souhaits } of all) {
    const member =
      nom === null
        ? m.operator_accounts_none()
        : [nom, gere && m.operator_accounts_manages(), exclu && m.operator_accounts_shut_out()]
            .filter(Boolean)
            .join(', ');
    console.log(
      m.operator_accounts_lists({
        reader: utilisateur,
        member,
        statuts: m.count_statuts({ count: statuts }),
        lectures: m.count_lectures({ count: lectures }),
        souhaits: m.count_souhaits({ count: souhaits }),
      }),
    );
  }
}

/** Waits while the service writes. */
function write<T>(database: Database, work: (tx: Transaction) => T): Promise<Awaited<T>> {
  return database.writeLock.whenFree(() => database.write(work));
}

async function rename(database: Database, from: string, to: string): Promise<void> {
  if (membreByIdentifiant(database, from) === undefined)
    throw new Error(m.operator_accounts_unknown({ reader: from }));
  await write(database, (tx) => changeIdentifiant(tx, from, to));
}

async function invite(database: Database, nom: string): Promise<void> {
  const manages = isFirst(database);
  const { jeton, identifiant } = await write(database, (tx) => inviteNamed(tx, nom, manages));
  console.log(m.operator_accounts_invited({ reader: identifiant }));
  console.log(`/invitation#${jeton}`);
}
