// A process that opens a database on the message « open », then adds a book for each title that it receives:
// writer.ts <database>. Replies « open », or « refused » if another process holds the database; then each title once
// it is stored.
import { flushCompileCache } from 'node:module';
import { createInterface } from 'node:readline';
import { Database } from '#server/plumbing/database/database';
import type { Transaction } from '#server/plumbing/database/connection';
import { UnusableDatabase } from '#server/plumbing/database/unusable';

const [path = ''] = process.argv.slice(2);
let database: Database | null = null;

function open(): Database | null {
  try {
    return Database.open(path);
  } catch (error) {
    if (error instanceof UnusableDatabase) return null;
    throw error;
  }
}

const insert = (tx: Transaction, titre: string) =>
  tx.run(
    `INSERT INTO Livre (titre, titreNormalise, cleOeuvre, format, dateAjout)
     VALUES (?, 'x', 'x', 'Physique', '2026-01-01T00:00:00.000Z')`,
    titre,
  );

function answer(line: string): string {
  if (line === 'open') {
    database = open();
    return database === null ? 'refused' : 'open';
  }
  const opened = database;
  if (opened === null) throw new Error('A book for a database that is not open');
  opened.write((tx) => insert(tx, line));
  return line;
}

// Stores compiled code for the next process now, since this one may be killed.
flushCompileCache();
process.on('SIGTERM', () => {
  database?.close();
  process.exit(0);
});
for await (const line of createInterface(process.stdin)) process.stdout.write(`${answer(line)}\n`);
