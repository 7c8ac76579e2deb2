import type { OpenPret } from './livres.ts';
import type { Pret } from './prets.ts';

/** The open loans by book, in whatever order openings and closings arrive. */
export class OpenPrets {
  readonly #prets = new Map<number, Pret>();
  readonly #byLivre = new Map<number, OpenPret>();

  ofLivre(livreId: number): OpenPret | null {
    return this.#byLivre.get(livreId) ?? null;
  }

  /** True when at least one lent book satisfies the test. */
  some(test: (livreId: number) => boolean): boolean {
    for (const livreId of this.#byLivre.keys()) if (test(livreId)) return true;
    return false;
  }

  open(pret: Pret): void {
    this.close(pret.id);
    this.#prets.set(pret.id, pret);
    this.#show(pret);
  }

  close(id: number): void {
    const pret = this.#prets.get(id);
    if (pret === undefined) return;
    this.#prets.delete(id);
    if (this.#byLivre.get(pret.livreId)?.id !== id) return;
    this.#byLivre.delete(pret.livreId);
    for (const other of this.#prets.values()) if (other.livreId === pret.livreId) this.#show(other);
  }

  /** Where two loans of a book are open, the return of the earlier one has not arrived yet. */
  #show({ id, livreId, emprunteur, datePret }: Pret): void {
    const shown = this.#byLivre.get(livreId);
    if (shown === undefined || shown.id < id)
      this.#byLivre.set(livreId, { id, emprunteur, datePret });
  }
}
