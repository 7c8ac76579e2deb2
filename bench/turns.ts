import { setTimeout as delay } from 'node:timers/promises';
import type { LivreDocument } from '#shared/livres';
import { MODIFICATION_COUNT } from '#shared/modifications';
import { EventLoopDelay } from '#server/plumbing/common/event-loop-delay';
import type { Database } from '#server/plumbing/database/database';
import { renewAll } from '#server/start/context';
import { forgetOldModifications } from '#server/subjects/modifications/modifications';
import { playUpstream } from '../demo/upstream/server.ts';
import { nextAfter } from './support/documents.ts';
import { besideService, enterLivres } from './support/household.ts';
import { makeLivres } from './support/livres.ts';
import { insertLivres } from './support/plain-insert.ts';
import { Asker } from './support/asker.ts';
import { CALLER } from './support/load.ts';
import { bound, print, unbounded, type Measure } from './support/report.ts';
import { elapsed } from './support/timing.ts';
import { WorkOfTurns } from './support/work-of-turns.ts';

/** The aim for the longest turn of the service in milliseconds; one and a half times as much fails. */
const MAX_TURN_MS = 100;
const FAILS_BEYOND_MS = 1.5 * MAX_TURN_MS;

const MANY = 1000;
const COMPLETED = 20_000;
const PLANNED = 90_000;
/** The number of devices that take their first replica at once. */
const DEVICES = 30;
const COPIED = [20_000, 100_000];
const CODE = '9782948012048';

interface Asked {
  readonly status: number;
  readonly body: unknown;
}

/** Measures the longest turn of the service in each of the operations that touch most records. */
export async function benchTurns(livres: readonly LivreDocument[]): Promise<void> {
  await besideService({}, (url, database) => {
    enterLivres(database, livres);
    return new TurnBench(url, database).records(livres);
  });
  const completed = makeLivres(COMPLETED);
  await besideService({}, (url, database) => {
    enterLivres(database, completed);
    return new TurnBench(url, database).completions();
  });
  const upstream = await playUpstream();
  const sources = { BNF_SRU_URL: upstream.bnfSruUrl, OPEN_LIBRARY_URL: upstream.openLibraryUrl };
  await besideService(sources, (url, database) => new TurnBench(url, database).plan());
  await upstream.close();
  for (const count of COPIED) {
    const copied = makeLivres(count);
    await besideService({}, (url, database) => {
      insertLivres(database, copied);
      return new TurnBench(url, database).copies(count);
    });
  }
}

class TurnBench {
  readonly #url: string;
  readonly #database: Database;
  readonly #asker = new Asker();
  readonly #measures: Measure[] = [];

  constructor(url: string, database: Database) {
    this.#url = url;
    this.#database = database;
  }

  async records(livres: readonly LivreDocument[]): Promise<void> {
    const ids = livres.slice(0, MANY).map(({ id }) => id);
    const lot = (body: object) => this.#ask('POST', '/api/livres/lot', { ids, ...body });
    await this.#andBack(`${String(MANY)} statuses`, () => lot({ action: 'statut', statut: 1 }));
    await this.#andBack(`${String(MANY)} books deleted`, () => lot({ action: 'supprimer' }));
    const auteurs = this.#addAuteurs();
    await this.#andBack(`two authors of ${String(MANY)} books merged`, () =>
      this.#ask('POST', '/api/auteurs/fusions', { auteurs }),
    );
    await this.#emplacement();
    await this.#edits();
    await this.#time('an export', () => this.#ask('GET', '/api/export.zip'));
    await this.#upkeep();
    await this.#end(`The longest turn of the service, ${String(livres.length)} books`);
  }

  async completions(): Promise<void> {
    this.#database.write((tx) => {
      tx.run("UPDATE Livre SET isbn = printf('978%010d', id)");
      tx.run(`INSERT INTO Complement (livreId, etat, isbn, editeur, annee)
        SELECT id, 'trouve', isbn, 'Un éditeur', 2001 FROM Livre`);
    });
    await this.#andBack('all accepted', () =>
      this.#ask('POST', '/api/complements/acceptation', {}),
    );
    await this.#end(`The same, ${String(COMPLETED)} completions`);
  }

  async plan(): Promise<void> {
    const rows = Array.from(
      { length: PLANNED },
      (_, n) => `Livre ${String(n)},Auteur ${String(n)},`,
    );
    const file = ['Titre,Auteur,ISBN', ...rows, `,,${CODE}`].join('\n');
    await this.#time('a dry run', () => this.#ask('POST', '/api/importations', Buffer.from(file)));
    await this.#time('its plan made again for the last code', async () => {
      const pending = 'SELECT 1 FROM ImportationLigne WHERE pending = 1';
      while (this.#database.value(pending) !== undefined) await delay(5);
      return null;
    });
    await this.#end(`The same, a file of ${String(PLANNED)} rows`);
  }

  /** Measures how long other requests wait while devices take their first replica. */
  async copies(count: number): Promise<void> {
    const askers = Array.from({ length: DEVICES }, () => new Asker());
    await this.#time('one', () => this.#copy(this.#asker));
    await this.#time(`${String(DEVICES)} at once`, async () => {
      await Promise.all(askers.map((asker) => this.#copy(asker)));
      return null;
    });
    for (const asker of askers) await asker.end();
    await this.#end(`The same, first copies of ${String(count)} books`);
  }

  async #copy(asker: Asker): Promise<null> {
    for (let from: string | null = ''; from !== null;) {
      const { body } = await asker.ask({
        url: `${this.#url}/api/replication?limite=2000${from}`,
        method: 'GET',
        headers: { SSO_USER: CALLER },
        body: null,
      });
      from = nextAfter(body);
    }
    return null;
  }

  async #end(title: string): Promise<void> {
    await this.#asker.end();
    print(title, this.#measures);
  }

  /** Adds two authors with many books each. */
  #addAuteurs(): number[] {
    const noms = ['Zoé Première', 'Zoé Seconde'];
    const livres = noms.flatMap((nom) =>
      makeLivres(MANY).map((livre) => ({ ...livre, auteurs: [{ id: 0, nom }] })),
    );
    enterLivres(this.#database, livres);
    return noms.flatMap(
      (nom) => this.#database.value<number>('SELECT id FROM Auteur WHERE nom = ?', nom) ?? [],
    );
  }

  async #emplacement(): Promise<void> {
    const add = async (nom: string) => {
      const { body } = await this.#ask('POST', '/api/emplacements', { nom });
      return Number(Reflect.get(Object(body), 'id'));
    };
    const [attic, shelf] = [await add('Grenier'), await add('Rayonnage')];
    this.#database.write((tx) => tx.run('UPDATE Livre SET emplacementId = ?', shelf));
    await this.#time('the location of all moved', () =>
      this.#ask('PUT', `/api/emplacements/${String(shelf)}`, { nom: 'Rayonnage', parentId: attic }),
    );
    await this.#andBack('the location of all deleted', () =>
      this.#ask('DELETE', `/api/emplacements/${String(shelf)}`),
    );
  }

  /** Adds many edits of one book: undoing the first has all others as obstacles. */
  async #edits(): Promise<void> {
    const id = this.#database.value<number>('SELECT max(id) FROM Livre') ?? 0;
    const edit = (n: number) =>
      this.#ask('PUT', `/api/livres/${String(id)}`, {
        titre: 'Un titre',
        format: 'Physique',
        annee: n,
      });
    await edit(0);
    const first = this.#lastAct();
    for (let n = 1; n <= MANY; n++) await edit(n);
    await this.#time(`the first of ${String(MANY)} edits of one book undone, in vain`, () =>
      this.#undo(first),
    );
    await this.#time('the same with the others', () => this.#undo(first, '?avec=obstacles'));
  }

  /** Measures background work: the start-up pass and the daily upkeep. */
  async #upkeep(): Promise<void> {
    this.#measures.push(
      unbounded(
        'the start-up pass, before the service listens',
        elapsed(() => renewAll(this.#database)),
        'ms',
      ),
    );
    this.#database.write((tx) => {
      tx.run("UPDATE Modification SET date = '2000-01-01T00:00:00.000Z'");
      tx.run(
        `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?)
         INSERT INTO Modification (operation, proprietaire, date, avec, fiches)
         SELECT 'lot', '', '2000-01-01T00:00:00.000Z', '[]', '[]' FROM n`,
        MODIFICATION_COUNT,
      );
    });
    await this.#time('forgetting after thirty days', async () => {
      await forgetOldModifications(this.#database);
      return null;
    });
  }

  #lastAct = (): number => this.#database.value<number>('SELECT max(id) FROM Modification') ?? 0;

  #undo(id = this.#lastAct(), query = ''): Promise<Asked> {
    return this.#ask('POST', `/api/modifications/${String(id)}/annulation${query}`);
  }

  async #ask(method: string, path: string, body?: object | Buffer): Promise<Asked> {
    const isFile = Buffer.isBuffer(body);
    const { status, body: text } = await this.#asker.ask({
      url: this.#url + path,
      method,
      headers: {
        SSO_USER: CALLER,
        ...(body && { 'Content-Type': isFile ? 'application/octet-stream' : 'application/json' }),
      },
      body: isFile ? new Uint8Array(body) : body ? JSON.stringify(body) : null,
    });
    return { status, body: text === '' ? null : JSON.parse(text) };
  }

  async #andBack(what: string, work: () => Promise<Asked>): Promise<void> {
    await this.#time(what, work);
    await this.#time(`${what}, undone`, () => this.#undo());
  }

  async #time(what: string, work: () => Promise<Asked | null>): Promise<void> {
    const turns = new EventLoopDelay();
    turns.begin();
    // Wait for the first reading.
    await delay(50);
    const works = new WorkOfTurns();
    const begin = performance.now();
    const asked = await work();
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    await delay(50);
    const longest = works.end();
    const detail = `by the clock ${String(turns.longest)} ms, in all ${seconds} s${asked ? `, ${String(asked.status)}` : ''}`;
    this.#measures.push({ ...bound(what, longest, MAX_TURN_MS, 'ms'), detail });
    if (longest > FAILS_BEYOND_MS) process.exitCode = 1;
    turns.end();
  }
}
