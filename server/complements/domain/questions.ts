import { setTimeout as delay } from 'node:timers/promises';
import type { RechercheIsbn } from '#shared/recherche';
import type { Database } from '#server/database/database';
import * as store from '../store.ts';
import type { AskedLivre } from '../store.ts';
import { findAnswer } from './complements.ts';

/** Asks the catalogues about an ISBN. */
type AskCatalogues = (isbn: string, signal: AbortSignal) => Promise<RechercheIsbn>;

/** After this many questions in a row without an answer the catalogues are left alone for a while. */
const MAX_SILENCES = 3;
/** How long: a minute, then twice as long each time, an hour at most. */
const MIN_REST_MS = 60_000;
const MAX_REST_MS = 60 * 60_000;

const NOTHING = { titre: null, editeur: null, annee: null, nombrePages: null };

/**
 * Asks the catalogues about the books that wait for it, one question at a time, and rests as long as
 * each answer took. The queue is in the database: a restart goes on where the last process ended
 * (docs/rules.md § 44).
 */
export class Questions {
  readonly #database: Database;
  readonly #ask: AskCatalogues;
  readonly #closing = new AbortController();
  readonly #forget: () => void;
  readonly #report: (error: unknown) => void;
  #isRunning = false;
  #silences = 0;
  #restMs = MIN_REST_MS;

  constructor(database: Database, ask: AskCatalogues, report: (error: unknown) => void) {
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
      const begin = performance.now();
      const found = await this.#ask(livre.isbn, this.#closing.signal);
      this.#keep(livre, found);
      await this.#rest(found, performance.now() - begin);
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
    this.#database.write(() => {
      store.writeAnswer(this.#database, livre, etat, answer ?? NOTHING);
      store.forgetComplete(this.#database);
    });
  }

  async #rest(found: RechercheIsbn, tookMs: number): Promise<void> {
    this.#silences = isSilent(found) ? this.#silences + 1 : 0;
    const isLong = this.#silences >= MAX_SILENCES;
    const { signal } = this.#closing;
    await delay(isLong ? this.#restMs : tookMs, undefined, { signal, ref: false });
    this.#restMs = isLong ? Math.min(2 * this.#restMs, MAX_REST_MS) : MIN_REST_MS;
  }
}

const isSilent = ({ sources }: RechercheIsbn): boolean =>
  sources.some(({ etat }) => etat === 'injoignable');
