import { SvelteMap } from 'svelte/reactivity';
import { emplacementOf } from '$lib/emplacements/path';
import { ajouterLivre } from '$lib/records/livres/operations';
import { parseCode } from '$lib/recherche/code';
import { scanned } from '$lib/recherche/scanned.svelte';
import { href } from '$lib/format/address';
import { isbnError } from '$lib/format/code-errors';
import { CatalogueSearch } from '$lib/recherche/catalogue-search.svelte';
import type { Act } from '$lib/sync/feedback.svelte';
import { unsentCovers } from '$lib/couvertures/unsent.svelte';
import { Action } from '$lib/ui/action.svelte';
import { splitTokens } from '$lib/ui/form/text-entry.svelte';
import { parseIsbn } from '#shared/isbn';
import type { Livre } from '#shared/livres';
import type { Edition } from '#shared/candidats';
import { autofill } from '../form/autofill.ts';
import { LivreEntry, type SerieDecisions } from '$lib/records/livres/entry.svelte';

interface LastAddition {
  readonly livre: Livre;
  /** Its addition, which may be taken back. */
  readonly act: Act | null;
  /** The form's entry that made the book: it comes back if the addition is taken back. */
  readonly entry: LivreEntry;
}

/** Where the books that are added stand, in words: one catalogues shelf by shelf. */
let emplacement = $state('');

/** One path is made once, however many books go there at a time. */
let placing: { readonly path: string; readonly id: Promise<number | null> } | null = null;

scanned.shelf.emplacementId = async () => {
  const path = emplacement;
  if (placing?.path !== path) placing = { path, id: emplacementOf(path) };
  try {
    return await placing.id;
  } finally {
    placing = null;
  }
};

/** The state of the screen that adds one book after another. */
export class Addition {
  readonly #decisions: SerieDecisions = new SvelteMap<string, boolean>();
  entry = $state.raw(this.newEntry());
  /** The fields where the typed text stayed when a record filled the form. */
  keptFields = $state.raw<readonly string[]>([]);
  last = $state.raw<LastAddition | null>(null);
  readonly action = new Action();
  readonly search = new CatalogueSearch();
  #work: Promise<unknown> = Promise.resolve();
  #invalidCode = $state.raw<string | null>(null);
  /** The entry of the book that was taken back, until another code is typed into it. */
  #undone: { readonly entry: LivreEntry; readonly isbn: string | null } | null = null;

  /** Where the book stands, in words; kept for the next one. */
  get emplacement(): string {
    return emplacement;
  }

  set emplacement(path: string) {
    emplacement = path;
  }

  /** What is wrong with the looked up code, until another is typed. */
  get isbnError(): string | null {
    if (this.#invalidCode === null || this.#invalidCode !== this.entry.text('isbn')) return null;
    return isbnError(this.#invalidCode) ?? null;
  }

  get isLastUndone(): boolean {
    return this.last?.act?.isUndone === true;
  }

  get showsUndone(): boolean {
    return this.#undone?.entry === this.entry;
  }

  /** Ends once what was asked for last is done: a lookup, or the book that is being added. */
  get settled(): Promise<unknown> {
    return this.#work;
  }

  /** A code is being typed: the one of another book starts from an empty form. */
  codeChanged(): void {
    const isbn = parseIsbn(this.entry.text('isbn'));
    if (!this.showsUndone || isbn === null || isbn === this.#undone?.isbn) return;
    const entry = this.newEntry();
    entry.setText('isbn', this.entry.text('isbn'));
    this.show(entry);
  }

  /**
   * Looks the typed code up, and fills the form when there is one record.
   *
   * @returns true when there is a result to show: no abort, and something to look up
   */
  lookUp(): Promise<boolean> {
    return this.#do(this.#lookUp());
  }

  async #lookUp(): Promise<boolean> {
    this.codeChanged();
    const text = this.entry.text('isbn');
    this.#resetLookup('isbn');
    const isInvalid = parseCode(text).kind === 'unknown' && text.trim() !== '';
    this.#invalidCode = isInvalid ? text : null;
    if (isInvalid) return true;
    if (text.trim() === '' || !this.search.canAsk) return false;
    // What the record of another code has filled does not stay under this one.
    if (codeKey(text) !== this.entry.prefilled.code) this.entry.clearPrefilled();
    const result = await this.search.byIsbn(text);
    if (result === null) return false;
    if (result.outcome === 'one' && result.candidats[0] !== undefined)
      this.select(result.candidats[0]);
    return true;
  }

  /** Searches the catalogues by the typed title and its first author; what they find is a choice. */
  async searchTitre(): Promise<void> {
    const titre = this.entry.text('titre').trim();
    if (titre === '' || !this.search.canAsk) return;
    const [auteur = ''] = splitTokens(this.entry.text('auteurs'));
    this.#resetLookup('titre');
    await this.search.byTitre(titre, auteur);
  }

  /** Fills the form from a catalogue record. */
  select(candidat: Edition): void {
    // A title that was typed to be searched for gives way to the one that was found.
    if (this.search.kind === 'titre') {
      this.entry.setText('titre', candidat.titre);
      if (candidat.auteurs.length > 0) this.entry.setText('auteurs', '');
    }
    const code = codeKey(this.entry.text('isbn'));
    this.keptFields = autofill(this.entry, candidat, code === '' ? null : code);
    this.search.selected = candidat;
  }

  /**
   * Adds the book and clears the form for the next one; true when it was added.
   *
   * @param isTold false where the line of its code tells it
   */
  save(confirmerDoublon: boolean, isTold = true): Promise<boolean> {
    const work = this.action.run(async (unsent) => {
      const { entry } = this;
      const { added, act } = await unsentCovers.add(
        async (batch) => {
          const emplacementId = await emplacementOf(emplacement, batch);
          const saisie = { ...entry.toSaisie(), emplacementId };
          const notice = ({ id }: Livre) => ({ href: href(`/livres/${id}`) });
          return ajouterLivre(saisie, { query: { confirmerDoublon }, batch, unsent, notice });
        },
        entry.image,
        ({ id, titre }) => ({ record: { kind: 'livres', id }, titre }),
        unsent,
        isTold,
      );
      this.last = { livre: added, entry, act };
      this.show();
    });
    return this.#do(work);
  }

  /** The last book was taken back: its entry comes again, unless the next one has been begun. */
  restoreLast(): void {
    const { last } = this;
    if (last === null || !this.entry.isBlank) return;
    this.show(last.entry);
    this.#undone = { entry: last.entry, isbn: last.livre.isbn };
  }

  #do<T>(work: Promise<T>): Promise<T> {
    this.#work = work.catch(() => undefined);
    return work;
  }

  #resetLookup(kind: 'isbn' | 'titre'): void {
    this.action.reset();
    this.search.reset();
    this.search.kind = kind;
    this.keptFields = [];
  }

  newEntry(): LivreEntry {
    return new LivreEntry(null, this.#decisions);
  }

  /** Shows another entry, by default an empty one, of which no catalogue has been asked. */
  show(entry = this.newEntry()): void {
    this.action.reset();
    this.search.reset();
    this.#invalidCode = null;
    this.#undone = null;
    this.keptFields = [];
    this.entry = entry;
  }
}

const codeKey = (text: string): string => parseIsbn(text) ?? text.trim();
