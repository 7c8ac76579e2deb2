// A process that opens a database as a start does, and exits: open.ts <database>. Its first line reports the
// beginning, the next one the schema's outcome.
import { openContext } from '#server/start/context';
import { readConfig } from '#server/config';

const [DATABASE_PATH = ''] = process.argv.slice(2);
console.log('begin');
const { database } = openContext(readConfig({ DATABASE_PATH, LOG_LEVEL: 'silent' }));
console.log(JSON.stringify(database.upgrade));
database.close();
