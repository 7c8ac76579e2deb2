import type { RechercheIsbn } from '#shared/recherche';
import type { Database } from '#server/plumbing/database/database';
import { isSilent, type BackgroundLookups } from '#server/subjects/recherche/domain/lookups';
import * as store from '../store.ts';
import type { AskedLivre } from '../store.ts';
import { findAnswer } from './complements.ts';

const NOTHING = { titre: null, editeur: null, annee: null, nombrePages: null };

/**
 * Asks the catalogues about the books that wait for it. The queue is in the database: a restart goes on where
 * the last process ended (docs/rules.md § 44).
 */
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

  /** Asks until no book waits; does nothing while that is under way. */
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
      const found = await this.#ask(livre.isbn, this.#closing.signal);
      await this.#database.writeLock.whenFree(() => this.#keep(livre, found));
    }
  }

  #next(): AskedLivre | undefined {
    return this.#closing.signal.aborted ? undefined : store.nextAsked(this.#database);
  }

  /** Keeps nothing once the service closes: the question is asked again after the next start. */
  #keep(livre: AskedLivre, found: RechercheIsbn): void {
    if (this.#closing.signal.aborted) return;
    const answer = found.type === 'livre' ? findAnswer(livre, found.candidats) : null;
    const nothing = isSilent(found) ? 'silence' : 'rien';
    const etat = answer === null ? nothing : 'trouve';
    this.#database.write((tx) => {
      store.writeAnswer(tx, livre, etat, answer ?? NOTHING);
      store.forgetComplete(tx);
    });
  }
}
