import type { Database } from '#server/database/database';
import { kinds } from '#server/kinds';
import { Records } from '#server/records/records';

/** The records of a database, of all kinds. */
export const recordsOf = (database: Database): Records<Database> => new Records(database, kinds);
