// A process that opens a database and adds a book for each title that it is sent: writer.ts <database>.
// It says « open », then each title once that is in the database; it fails where another has it open.
import { createInterface } from 'node:readline';
import { Database } from '#server/database/database';
import { addLivreEntry } from '#server/livres/domain/livres';

const [path = ''] = process.argv.slice(2);
const database = Database.open(path);
process.stdout.write('open\n');
process.on('SIGTERM', () => {
  database.close();
  process.exit(0);
});
for await (const titre of createInterface(process.stdin)) {
  database.write(() => addLivreEntry(database, { titre, format: 'Physique' }, null));
  process.stdout.write(`${titre}\n`);
}
