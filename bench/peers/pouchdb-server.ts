import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { pathOf } from './packages.ts';

/** The parts of PouchDB that are used here. */
interface PouchDB {
  new (name: string): { bulkDocs: (documents: readonly object[]) => Promise<unknown> };
  plugin(plugin: unknown): PouchDB;
  defaults(options: object): PouchDB;
}

/**
 * A PouchDB server with one database, `livres`, in memory: started with a JSON file of its documents, it
 * tells its address once it listens.
 */
const load = async <T>(name: Parameters<typeof pathOf>[0]): Promise<T> =>
  ((await import(pathOf(name))) as { default: T }).default;

const Core = await load<PouchDB>('pouchdb-core');
const Memory = Core.plugin(await load('pouchdb-adapter-memory'))
  .plugin(await load('pouchdb-replication'))
  .plugin(await load('pouchdb-mapreduce'))
  .defaults({ adapter: 'memory' });
const express = await load<(pouch: PouchDB, options: object) => RequestListener>('express-pouchdb');

const documents = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as { id: number }[];
const database = new Memory('livres');
await database.bulkDocs(documents.map(({ id, ...rest }) => ({ _id: String(id), ...rest })));
const app = express(Memory, { mode: 'minimumForPouchDB', inMemoryConfig: true });
const server = createServer(app).listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') console.log(`http://127.0.0.1:${String(address?.port)}`);
});
process.on('SIGTERM', () => process.exit(0));
