import { ApiError } from '$lib/api/error';
import { livresView } from '$lib/records/livres/view.svelte';
import { m } from '$lib/paraglide/messages';
import { spellingOf } from '#shared/emprunteurs';
import { formatIsbn } from '#shared/isbn-format';
import type { LivreDocument } from '#shared/livres';
import { preter, rendre } from '$lib/records/prets/operations';
import { pretsView } from '$lib/records/prets/view.svelte';

/** What has become of a code that was read to lend its book. */
type LendingState =
  | { readonly kind: 'pending' | 'returned' }
  | { readonly kind: 'lent'; readonly pretId: number; readonly emprunteur: string }
  | { readonly kind: 'refused'; readonly message: string };

/** One book that is lent, or cannot be. */
export class LendingLine {
  readonly isbn: string;
  /** The title of the book, its code where the household does not own it. */
  readonly titre: string;
  readonly couverture: LivreDocument['couverture'];
  state = $state.raw<LendingState>({ kind: 'pending' });

  constructor(isbn: string, livre: LivreDocument | undefined) {
    this.isbn = isbn;
    this.titre = livre?.titre ?? formatIsbn(isbn);
    this.couverture = livre?.couverture ?? null;
  }

  /** True where there is nothing left to do for this code. */
  get isDone(): boolean {
    return this.state.kind === 'lent' || this.state.kind === 'pending';
  }
}

/** Books that are lent to one person, one after another. */
export class Lending {
  emprunteur = $state('');
  /** The last book first. */
  lines = $state.raw<readonly LendingLine[]>([]);

  /** Lends the copy of a code that is at home; a code that is read again changes nothing. */
  async lend(isbn: string): Promise<LendingLine | null> {
    if (this.lines.some((line) => line.isbn === isbn && line.isDone)) return null;
    const copies = livresView.byIsbn(isbn);
    const livre = copies.find(isFree);
    const line = new LendingLine(isbn, livre ?? copies[0]);
    this.lines = [line, ...this.lines.filter((other) => other.isbn !== isbn)];
    line.state =
      livre === undefined
        ? { kind: 'refused', message: whyNot(copies[0]) }
        : await this.#attempt(async () => {
            const nom = spellingOf(pretsView.emprunteurs, this.emprunteur);
            const { id, emprunteur } = await preter(livre.id, nom);
            return { kind: 'lent', pretId: id, emprunteur };
          });
    return line;
  }

  /** Takes a book back that was lent here. */
  async giveBack(line: LendingLine): Promise<void> {
    if (line.state.kind !== 'lent') return;
    const { pretId } = line.state;
    line.state = await this.#attempt(async () => {
      await rendre(pretId);
      return { kind: 'returned' };
    });
  }

  async #attempt(work: () => Promise<LendingState>): Promise<LendingState> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { kind: 'refused', message: error.message };
    }
  }
}

const isFree = ({ id, format }: LivreDocument): boolean =>
  format === 'Physique' && livresView.openPret(id) === null;

function whyNot(livre: LivreDocument | undefined): string {
  if (livre === undefined) return m.not_in_library();
  const pret = livresView.openPret(livre.id);
  return pret === null ? m.pret_numerique() : m.preter_already(pret);
}
