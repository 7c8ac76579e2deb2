import { Kiosque } from '#shared/kiosque';
import type { Base } from '#server/database/base';
import { readSince } from './documents.ts';
import type { Journal } from './journal.ts';

/**
 * The household's periodicals and issues in the server's memory, as they were at the last commit.
 * It reads the journal from the revision that it has reached, like the catalogue of books.
 */
export class LiveKiosque extends Kiosque {
  readonly #base: Base;
  #revision = 0;

  constructor(base: Base, journal: Journal) {
    super();
    this.#base = base;
    this.#follow();
    journal.subscribe(() => this.#follow());
  }

  #follow(): void {
    this.#base.read(() => {
      const since = this.#revision;
      const revues = readSince(this.#base, 'revues', since);
      this.recevoirRevues(Array.from(revues, ({ document }) => document));
      const numeros = readSince(this.#base, 'numeros', since);
      this.recevoirNumeros(Array.from(numeros, ({ document }) => document));
      this.#revision = this.#base.revision();
    });
  }
}
