import { m } from '$lib/paraglide/messages.js';
import { perIdentity } from '$lib/sync/identity.svelte';

/** The books created by a reader's import, from the server, since devices do not replicate imports. */
interface Imported {
  readonly importation: string;
  readonly label: string;
  readonly livres: ReadonlySet<number>;
}

class LastImported {
  answer = $state.raw<Imported | null>(null);
}

const last = perIdentity(() => new LastImported());

function read(importation: string | undefined): Imported | null {
  const { answer } = last();
  return answer?.importation === importation ? answer : null;
}

export const imported = {
  /** `undefined` until the server has responded. */
  livres: (importation: string | undefined): ReadonlySet<number> | undefined =>
    read(importation)?.livres,
  label: (importation: string): string => read(importation)?.label ?? m.importation_filter(),
  know(answer: Imported): void {
    last().answer = answer;
  },
};
