import type { PretOuvert } from './livres.ts';
import type { Pret } from './prets.ts';

/** The open loans by book, whatever the order in which loans open and close. */
export class PretsOuverts {
  readonly #prets = new Map<number, Pret>();
  readonly #parLivre = new Map<number, PretOuvert>();

  duLivre(livreId: number): PretOuvert | null {
    return this.#parLivre.get(livreId) ?? null;
  }

  /** True when at least one of the lent books is one of these. */
  concerne(livres: (livreId: number) => boolean): boolean {
    for (const livreId of this.#parLivre.keys()) if (livres(livreId)) return true;
    return false;
  }

  ouvrir(pret: Pret): void {
    this.clore(pret.id);
    this.#prets.set(pret.id, pret);
    this.#montrer(pret.livreId, pret);
  }

  clore(id: number): void {
    const pret = this.#prets.get(id);
    if (pret === undefined) return;
    this.#prets.delete(id);
    if (this.#parLivre.get(pret.livreId)?.id !== id) return;
    this.#parLivre.delete(pret.livreId);
    for (const autre of this.#prets.values()) {
      if (autre.livreId === pret.livreId) this.#montrer(pret.livreId, autre);
    }
  }

  /** Of two loans that seem open, one's return is still to come: the later loan is the one. */
  #montrer(livreId: number, { id, emprunteur, datePret }: Pret): void {
    const montre = this.#parLivre.get(livreId);
    if (montre === undefined || montre.id < id)
      this.#parLivre.set(livreId, { id, emprunteur, datePret });
  }
}
