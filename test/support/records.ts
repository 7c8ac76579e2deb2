import type { Database } from '#server/plumbing/database/database';
import { kinds } from '#server/start/kinds';
import { Records } from '#server/plumbing/records/records';

export const recordsOf = (database: Database): Records<Database> => new Records(database, kinds);
