import type { FastifyInstance } from 'fastify';
import * as api from '#shared/complements';
import { Complement, MAX_COMPLEMENTS } from '#shared/complements';
import type { Candidat, RechercheIsbn } from '#shared/recherche';
import { cleOeuvre } from '#shared/text';
import type { Config } from '#server/config';
import type { Database } from '#server/plumbing/database/database';
import { documentProjection, readDocuments } from '#server/plumbing/database/columns';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import { mount } from '#server/plumbing/http/mount';
import { answer, operation, read } from '#server/plumbing/writes/operations';
import type { Sources } from '#server/plumbing/upstream/sources';
import { modifierChamps } from '#server/subjects/livres/livres';
import { NOMS } from '#server/subjects/livres/read';
import { backgroundLookups, isSilent, type BackgroundLookups } from '#server/subjects/recherche';

/** The fields that a book may take from catalogue records (docs/rules.md § 44). */
type Fields = Pick<Candidat, 'editeur' | 'annee' | 'nombrePages'>;

interface Answer extends Fields {
  /** The catalogues' title where it is another work's. */
  readonly titre: string | null;
}

interface AskedLivre extends Fields {
  readonly id: number;
  readonly isbn: string;
  readonly titre: string;
}

/** An ebook takes no page count from a printed edition's record. */
const LACKS_PAGES = "(l.nombrePages IS NULL AND l.format = 'Physique')";

const INCOMPLETE = `l.isbn IS NOT NULL AND (l.editeur IS NULL OR l.annee IS NULL OR ${LACKS_PAGES})`;

/** Queues the books that have an ISBN and lack something, among these or all; returns how many. */
export const askAbout = (tx: Transaction, livreIds: readonly number[] | null): number =>
  tx.run(
    `INSERT OR IGNORE INTO Complement (livreId, etat)
       SELECT l.id, 'attente' FROM Livre l
       WHERE ${INCOMPLETE} AND (@ids IS NULL OR l.id IN (SELECT value FROM json_each(@ids)))`,
    { ids: livreIds && JSON.stringify(livreIds) },
  ).changes;

/** Keeps an answer about a book that still has the ISBN in question. */
export function writeAnswer(
  tx: Transaction,
  { id, isbn }: Pick<AskedLivre, 'id' | 'isbn'>,
  etat: 'trouve' | 'rien' | 'silence',
  answer: Answer,
): void {
  tx.run(
    `UPDATE Complement SET etat = @etat, isbn = @isbn, titre = @titre, editeur = @editeur,
         annee = @annee, nombrePages = @nombrePages
       WHERE livreId = @id AND (SELECT isbn FROM Livre WHERE id = @id) = @isbn`,
    { id, isbn, etat, ...answer },
  );
}

const ANSWERED = 'JOIN Livre l ON l.id = d.livreId AND l.isbn = d.isbn';

/** Whether an answer adds something to a book which still has the ISBN in question. */
const ADDS = `d.etat = 'trouve' AND ((l.editeur IS NULL AND d.editeur IS NOT NULL)
  OR (l.annee IS NULL AND d.annee IS NOT NULL)
  OR (${LACKS_PAGES} AND d.nombrePages IS NOT NULL))`;

const projection = documentProjection(
  'Complement',
  Complement,
  {
    titre: 'l.titre',
    auteurs: NOMS,
    editeur: 'iif(l.editeur IS NULL, d.editeur, NULL)',
    annee: 'iif(l.annee IS NULL, d.annee, NULL)',
    nombrePages: `iif(${LACKS_PAGES}, d.nombrePages, NULL)`,
    titreCatalogue: 'd.titre',
  },
  ANSWERED,
);

const count = (database: Reader, where: string): number =>
  database.value<number>(`SELECT count(*) FROM Complement d ${where}`) ?? 0;

const listComplements = (
  database: Reader,
  livreIds: readonly number[] | null,
  limit: number,
): Complement[] =>
  readDocuments(
    database,
    projection,
    `WHERE ${ADDS} AND (@ids IS NULL OR d.livreId IN (SELECT value FROM json_each(@ids)))
     ORDER BY l.titreNormalise, l.id LIMIT @limit`,
    { ids: livreIds && JSON.stringify(livreIds), limit },
  );

/** Removes the questions about these books for good. Returns how many had an answer. */
function dismiss(tx: Transaction, livreIds: readonly number[]): number {
  return tx.run(
    `UPDATE Complement SET etat = 'rien'
       WHERE etat = 'trouve' AND livreId IN (SELECT value FROM json_each(?))`,
    JSON.stringify(livreIds),
  ).changes;
}

/**
 * The additions of candidates to a book: for each missing field, the first value among the candidates of the same
 * work. Without such a candidate only the first one is used, with its title. `null` without any addition.
 */
export function findAnswer(livre: AskedLivre, candidats: readonly Candidat[]): Answer | null {
  const same = candidats.filter(({ titre }) => isSameWork(titre, livre.titre));
  const matching = same.length > 0 ? same : candidats.slice(0, 1);
  const first = <K extends keyof Fields>(field: K): Candidat[K] | null =>
    livre[field] === null
      ? (matching.find((candidat) => candidat[field] !== null)?.[field] ?? null)
      : null;
  const [editeur, annee, nombrePages] = [first('editeur'), first('annee'), first('nombrePages')];
  if (editeur === null && annee === null && nombrePages === null) return null;
  const titre = same.length > 0 ? null : (matching[0]?.titre ?? null);
  return { titre, editeur, annee, nombrePages };
}

/** Whether two titles are of one work, or one only adds words: « Dune », « Dune, tome 1 ». */
function isSameWork(a: string, b: string): boolean {
  const [one, other] = [cleOeuvre(a), cleOeuvre(b)];
  return `${one} `.startsWith(`${other} `) || `${other} `.startsWith(`${one} `);
}

const NOTHING: Answer = { titre: null, editeur: null, annee: null, nombrePages: null };

/** The queue of books to complete is in the database, so that a restart continues it. */
export class Questions {
  readonly #database: Database;
  readonly #ask: BackgroundLookups['ask'];
  readonly #closing = new AbortController();
  readonly #forget: () => void;
  readonly #report: (error: unknown) => void;
  #isRunning = false;

  constructor(database: Database, ask: BackgroundLookups['ask'], report: (error: unknown) => void) {
    this.#database = database;
    this.#ask = ask;
    this.#report = report;
    this.#forget = database.onCommit(() => this.start());
  }

  /** Does nothing while it is running. */
  start(): void {
    if (this.#isRunning || this.#closing.signal.aborted) return;
    this.#isRunning = true;
    setImmediate(() => {
      this.#run()
        .catch((error: unknown) => this.#closing.signal.aborted || this.#report(error))
        .finally(() => (this.#isRunning = false));
    });
  }

  close(): void {
    this.#forget();
    this.#closing.abort();
  }

  async #run(): Promise<void> {
    for (let livre = this.#next(); livre !== undefined; livre = this.#next()) {
      const asked = livre;
      const found = await this.#ask(asked.isbn, this.#closing.signal);
      await this.#database.writeLock.inBackground(() => this.#keep(asked, found));
    }
  }

  #next(): AskedLivre | undefined {
    if (this.#closing.signal.aborted) return undefined;
    return this.#database.get<AskedLivre>(
      `SELECT l.id, l.isbn, l.titre, l.editeur, l.annee, l.nombrePages
       FROM Complement c JOIN Livre l ON l.id = c.livreId
       WHERE c.etat = 'attente' AND ${INCOMPLETE} ORDER BY c.livreId LIMIT 1`,
    );
  }

  /** Stores nothing once the service closes: the question is asked again after the next start. */
  #keep(livre: AskedLivre, found: RechercheIsbn): void {
    if (this.#closing.signal.aborted) return;
    const answer = found.type === 'livre' ? findAnswer(livre, found.candidats) : null;
    const nothing = isSilent(found) ? 'silence' : 'rien';
    this.#database.write((tx) => {
      writeAnswer(tx, livre, answer === null ? nothing : 'trouve', answer ?? NOTHING);
      // Books completed meanwhile, and those that lost their ISBN.
      tx.run(`DELETE FROM Complement WHERE etat = 'attente'
       AND NOT EXISTS (SELECT 1 FROM Livre l WHERE l.id = livreId AND ${INCOMPLETE})`);
    });
  }
}

/** Completes the given books, or all whose title the catalogues confirm. Returns how many. */
function accepter(tx: Transaction, livreIds: readonly number[] | null): { livres: number } {
  const answers = listComplements(tx, livreIds, -1).filter(
    ({ titreCatalogue }) => livreIds !== null || titreCatalogue === null,
  );
  for (const { livreId, editeur, annee, nombrePages } of answers)
    modifierChamps(tx, livreId, {
      ...(editeur !== null && { editeur }),
      ...(annee !== null && { annee }),
      ...(nombrePages !== null && { nombrePages }),
    });
  dismiss(
    tx,
    answers.map(({ livreId }) => livreId),
  );
  return { livres: answers.length };
}

const acceptation = operation(api.accepterComplements, {
  may: 'household',
  holder: 'complement',
  size: (database, { body }) => body.livres?.length ?? count(database, `${ANSWERED} WHERE ${ADDS}`),
  run: (tx, { body }) => answer(accepter(tx, body.livres ?? null)),
});

export function routes(
  app: FastifyInstance,
  {
    config,
    database,
    sources,
  }: { readonly config: Config; readonly database: Database; readonly sources: Sources },
): void {
  const { ask } = backgroundLookups({
    sources,
    coversSite: config.openLibraryCoversUrl,
    locale: config.locale,
  });
  const questions = new Questions(database, ask, (error) => app.log.error(error));
  app.addHook('onReady', async () => questions.start());
  app.addHook('preClose', async () => questions.close());

  mount(app, [
    read(api.listerComplements, {
      may: 'household',
      run: () =>
        database.read(() => ({
          enRecherche: count(database, "WHERE etat = 'attente'"),
          sansReponse: count(database, "WHERE etat = 'silence'"),
          total: count(database, `${ANSWERED} WHERE ${ADDS}`),
          complements: listComplements(database, null, MAX_COMPLEMENTS),
        })),
    }),
    acceptation,
    operation(api.refuserComplements, {
      may: 'household',
      run: (tx, { body }) => answer({ livres: dismiss(tx, body.livres) }),
    }),
    operation(api.rechercherComplements, {
      may: 'household',
      run: (tx) => {
        const again = tx.run("UPDATE Complement SET etat = 'attente' WHERE etat = 'silence'");
        return answer({ livres: again.changes + askAbout(tx, null) });
      },
    }),
  ]);
}
