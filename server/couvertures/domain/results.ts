import type { Database } from '#server/database/database';
import * as queue from '../store/queue.ts';
import type { Clock } from './clock.ts';
import type { CoverLibrary } from './library.ts';
import { BNF_HOST, isbnOf } from './sources.ts';

/** An address without a picture is asked again after thirty days. */
const NONE_MS = 30 * 24 * 3_600_000;

interface ResultsParts {
  readonly database: Database;
  readonly library: CoverLibrary;
  readonly clock: Clock;
}

/** What an address has or has not, as writes of the database, for one transaction with others. */
export class CoverResults {
  readonly #parts: ResultsParts;
  /** The key of the picture that the national library sends where it has none. */
  #placeholder: string | null = null;

  constructor(parts: ResultsParts) {
    this.#parts = parts;
  }

  /** A picture, whose files are written at once. Throws as `CoverLibrary.prepare`. */
  async kept(adresse: string, content: Buffer, begun: number): Promise<() => void> {
    const { database, library } = this.#parts;
    const picture = await library.prepare(content);
    return () => {
      library.note(picture);
      queue.writeKept(database, adresse, picture.cle, begun);
      // Learnt while this one was being prepared.
      if (picture.cle === this.#placeholder) this.#writePlaceholder(picture.cle);
    };
  }

  /** No picture at the present source; the next one is asked where there is one. */
  none(waiting: queue.Waiting, demandeLe: number): () => void {
    const { database } = this.#parts;
    const { adresse, source } = waiting;
    if (source === 0 && isbnOf(adresse) !== null)
      return () => queue.writeNextSource(database, waiting, BNF_HOST, demandeLe);
    const prochainEssai = demandeLe + NONE_MS;
    const none = { etat: 'aucune', raison: null, essais: 0, demandeLe, prochainEssai } as const;
    return () => queue.writeNothing(database, adresse, none);
  }

  /** A picture that stands for none: the ISBNs that it was kept for have none. */
  placeholder(cle: string): () => void {
    this.#placeholder = cle;
    return () => this.#writePlaceholder(cle);
  }

  #writePlaceholder(cle: string): void {
    const { database, clock } = this.#parts;
    queue.writePlaceholder(database, cle, clock.now() + NONE_MS);
  }
}
