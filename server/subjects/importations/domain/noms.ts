import { abbreviates, parseNom, type NomForm } from '#shared/nom-form';
import { cleRegroupement } from '#shared/text';

/** The names of a row as they are compared with those of others: read once one is, which few rows are. */
export class Noms {
  readonly #noms: readonly string[];
  #keys: ReadonlySet<string> | undefined;
  #forms: readonly NomForm[] | undefined;

  constructor(noms: readonly string[]) {
    this.#noms = noms;
  }

  /** Whether two rows name an author in common; two that name none have that in common. */
  sharesWith(other: Noms): boolean {
    return (
      (this.#noms.length === 0 && other.#noms.length === 0) ||
      [...this.#cles].some((cle) => other.#cles.has(cle)) ||
      this.#parsed.some((form) =>
        other.#parsed.some((one) => abbreviates(form, one) || abbreviates(one, form)),
      )
    );
  }

  get #cles(): ReadonlySet<string> {
    return (this.#keys ??= new Set(this.#noms.map(cleRegroupement)));
  }

  get #parsed(): readonly NomForm[] {
    return (this.#forms ??= this.#noms.map(parseNom));
  }
}
