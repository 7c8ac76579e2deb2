// A process that opens a database when it is told « open », and then adds a book for each title that it is
// sent: writer.ts <database>. It says « open », or « refused » where another has it open; then each title
// once that is in the database.
import { createInterface } from 'node:readline';
import { Database } from '#server/database/database';
import { UnusableDatabase } from '#server/database/unusable';
import { addLivreEntry } from '#server/livres/domain/livres';

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

function answer(line: string): string {
  if (line === 'open') {
    database = open();
    return database === null ? 'refused' : 'open';
  }
  const opened = database;
  if (opened === null) throw new Error('A book for a database that is not open');
  opened.write(() => addLivreEntry(opened, { titre: line, format: 'Physique' }, null));
  return line;
}

process.on('SIGTERM', () => {
  database?.close();
  process.exit(0);
});
for await (const line of createInterface(process.stdin)) process.stdout.write(`${answer(line)}\n`);
