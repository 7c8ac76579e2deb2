import type { Transaction } from '#server/plumbing/database/transaction';
import * as queue from '../store/queue.ts';
import type { Clock } from './clock.ts';
import type { CoverLibrary } from './library.ts';
import { BNF_HOST, isbnOf } from './sources.ts';

/** An address without a picture is asked again after thirty days. */
const NONE_MS = 30 * 24 * 3_600_000;

interface ResultsParts {
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
  async kept(adresse: string, content: Buffer, begun: number): Promise<(tx: Transaction) => void> {
    const { library } = this.#parts;
    const picture = await library.prepare(content);
    return (tx) => {
      library.note(tx, picture);
      queue.writeKept(tx, adresse, picture.cle, begun);
      // Learnt while this one was being prepared.
      if (picture.cle === this.#placeholder) this.#writePlaceholder(tx, picture.cle);
    };
  }

  /** No picture at the present source; the next one is asked where there is one. */
  none(waiting: queue.Waiting, demandeLe: number): (tx: Transaction) => void {
    const { adresse, source } = waiting;
    if (source === 0 && isbnOf(adresse) !== null)
      return (tx) => queue.writeNextSource(tx, waiting, BNF_HOST, demandeLe);
    const prochainEssai = demandeLe + NONE_MS;
    const none = { etat: 'aucune', raison: null, essais: 0, demandeLe, prochainEssai } as const;
    return (tx) => queue.writeNothing(tx, adresse, none);
  }

  /** A picture that stands for none: the ISBNs that it was kept for have none. */
  placeholder(cle: string): (tx: Transaction) => void {
    this.#placeholder = cle;
    return (tx) => this.#writePlaceholder(tx, cle);
  }

  #writePlaceholder(tx: Transaction, cle: string): void {
    const { clock } = this.#parts;
    queue.writePlaceholder(tx, cle, clock.now() + NONE_MS);
  }
}
