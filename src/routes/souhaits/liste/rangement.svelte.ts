import { ApiError } from '$lib/api/error';

interface Element {
  readonly id: number;
}

/**
 * The order of one list. What the reader asks for is painted while it is on its way; then the list
 * is again what the replica says, whatever became of it.
 */
export class Rangement {
  /** Why the last order was not taken, in a sentence. */
  erreur = $state<string | null>(null);
  #voulu = $state.raw<readonly number[] | null>(null);
  readonly #envoyer: (ids: readonly number[]) => Promise<unknown>;

  constructor(envoyer: (ids: readonly number[]) => Promise<unknown>) {
    this.#envoyer = envoyer;
  }

  /** The list as it is to be seen: in the order asked for, where one is under way. */
  peindre<T extends Element>(elements: readonly T[]): readonly T[] {
    if (this.#voulu === null) return elements;
    const rangs = new Map(this.#voulu.map((id, rang) => [id, rang]));
    const rang = ({ id }: T) => rangs.get(id) ?? Infinity;
    return elements.toSorted((a, b) => (rang(a) === rang(b) ? 0 : rang(a) - rang(b)));
  }

  /** Asks for an order. One that comes while another is under way follows it, the last one only. */
  async ranger(ids: readonly number[]): Promise<void> {
    const enRoute = this.#voulu !== null;
    this.#voulu = ids;
    this.erreur = null;
    if (enRoute) return;
    try {
      for (let envoye: readonly number[] | null = null; envoye !== this.#voulu;) {
        envoye = this.#voulu;
        await this.#envoyer(envoye);
      }
    } catch (erreur) {
      if (!(erreur instanceof ApiError)) throw erreur;
      this.erreur = erreur.message;
    } finally {
      this.#voulu = null;
    }
  }
}
