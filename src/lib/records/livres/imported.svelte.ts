import { m } from '$lib/paraglide/messages.js';

/** The books that an import of the reader's has made, as the server said last: a device has no copy of imports. */
export interface Imported {
  readonly importation: string;
  /** The name of its file; `null` for codes that were typed. */
  readonly nom: string | null;
  readonly livres: ReadonlySet<number>;
}

let known = $state.raw<Imported | null>(null);

export const imported = {
  /** `undefined` until the server has been asked. */
  livres: (importation: string | undefined): ReadonlySet<number> | undefined =>
    known?.importation === importation ? known?.livres : undefined,
  label(importation: string): string {
    const nom = known?.importation === importation ? known.nom : null;
    return nom === null ? m.importation_filter() : m.importation_filter_of({ nom });
  },
  know(answer: Imported): void {
    known = answer;
  },
};
