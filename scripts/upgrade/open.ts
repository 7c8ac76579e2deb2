// A process that does what a start does with a database, and ends: open.ts <database>. Its first line says that it begins,
// the next what became of the schema.
import { openContext } from '#server/start/context';
import { readConfig } from '#server/config';

const [DATABASE_PATH = ''] = process.argv.slice(2);
console.log('begin');
const { database } = openContext(readConfig({ DATABASE_PATH, LOG_LEVEL: 'silent' }));
console.log(JSON.stringify(database.upgrade));
database.close();
