import { SvelteMap } from 'svelte/reactivity';
import { unsentCovers } from '$lib/couvertures/unsent.svelte';
import { emplacementOf } from '$lib/emplacements/path.svelte';
import { href } from '$lib/format/address';
import { Addition } from '$lib/recherche/addition.svelte';
import { codeKey, parseCode } from '$lib/recherche/code';
import { LivreEntry, type SerieDecisions, ajouterLivre } from '$lib/records/livres/kind.svelte';
import { Batch, type Act } from '$lib/api/feedback.svelte';
import { removeArrived } from '$lib/records/souhaits/lots';
import { wishesLike } from '$lib/souhaits/arrived';
import { Leaving } from '$lib/souhaits/leaving.svelte';
import { splitTokens } from '$lib/ui/form/text-entry.svelte';
import { isbnAsWritten } from '#shared/isbn';
import type { Livre } from '#shared/livres';
import { m } from '$lib/paraglide/messages';
import type { EveningLine } from './evening-line.ts';
import { evening } from './evening.svelte.ts';

interface LastAddition {
  readonly livre: Livre;
  readonly act: Act | null;
  /** The form's entry that made the book: it comes back if the addition is undone. */
  readonly entry: LivreEntry;
}

/** The form of one book after another, and what a scanned code does with it (docs/rules.md § 49). */
export class LivreAddition extends Addition<LivreEntry> {
  last = $state.raw<LastAddition | null>(null);
  /** The entry of the book whose addition was undone last, until another code is scanned. */
  #undone = $state.raw<{ readonly entry: LivreEntry; readonly isbn: string | null } | null>(null);
  /** The wishes of the reader that the book of the form is. */
  readonly leaving = new Leaving(() => {
    const { entry } = this;
    const isbn = isbnAsWritten(entry.text('isbn'));
    return wishesLike({
      titre: entry.text('titre'),
      auteurs: splitTokens(entry.text('auteurs')),
      isbn,
    });
  });
  /** The code that a scanner gave the form last. */
  #given: string | null = null;

  constructor() {
    const decisions: SerieDecisions = new SvelteMap<string, boolean>();
    super({
      name: 'livres/ajouter',
      given: ['isbn', 'titre', 'auteurs', 'editeur', 'annee', 'nombrePages', 'serie', 'numero'],
      newEntry: () => new LivreEntry(null, decisions),
      auteurOf: (entry) => splitTokens(entry.text('auteurs'))[0] ?? '',
      fill(entry, edition, by) {
        // A title that was typed to be searched for gives way to the one that was found.
        if (by === 'titre') {
          entry.setText('titre', edition.titre);
          if (edition.auteurs.length > 0) entry.setText('auteurs', '');
        }
        return entry.autofill(edition, codeKey(entry.text('isbn')) || null);
      },
      send: (entry, givenUp, isConfirmed) => this.#send(entry, givenUp, isConfirmed),
    });
  }

  /**
   * Takes a scanned code: into the form where that is free, else into the pile, where it is asked about.
   *
   * @returns true where the form has it and it is to be looked up
   */
  take(text: string): boolean {
    const code = codeKey(text);
    const line = evening.currentLineOf(code);
    if (line !== undefined && line.state.kind !== 'inForm') evening.see(code);
    else if (code === this.#code) {
      this.entry.setText('isbn', code);
      const count = line === undefined ? 1 : evening.countAgain(line);
      evening.pile.say(m.scan_again({ code: this.entry.text('titre') || code, count }), line);
      const { outcome = 'silent' } = this.lookup.result ?? {};
      if (outcome === 'silent' || outcome === 'failed') return !this.isSearching;
    } else if (!this.#isFree || (parseCode(code).kind === 'revue' && evening.lines.length > 0))
      evening.see(code);
    else {
      this.#moveAside();
      this.#given = code;
      this.#undone = null;
      this.entry.setText('isbn', code);
      if (parseCode(code).kind === 'livre') evening.note(code, { kind: 'inForm' });
      return true;
    }
    return false;
  }

  /** Whether the form takes the next code: nobody has written in it, and it waits for no answer. */
  get #isFree(): boolean {
    if (this.isSearching || this.action.pending) return false;
    if (this.entry.isBlank || this.#showsUndone) return true;
    return this.entry.text('isbn').trim() !== '' && !this.#isWritten;
  }

  /** Whether somebody has written more than a code. What a catalogue has filled in does not count: it can be had again. */
  get #isWritten(): boolean {
    const { fields, texts, prefilled, image, isImageComing } = this.entry;
    const isSame = (text: string, other = '') => text.trim() === other.trim();
    return (
      image !== null ||
      isImageComing ||
      fields.some(
        ({ key, options }) =>
          key !== 'isbn' && !isSame(texts[key] ?? '', prefilled.texts[key] || options?.[0]?.value),
      )
    );
  }

  /** The code in the form, without digits of the next one that a scanner may have typed behind it. */
  get #code(): string {
    const text = this.entry.text('isbn');
    return codeKey(this.#given !== null && text.startsWith(this.#given) ? this.#given : text);
  }

  get #showsUndone(): boolean {
    return this.#undone?.entry === this.entry;
  }

  #moveAside(): void {
    const { entry, lookup } = this;
    const code = this.#code;
    const message = entry.errors['isbn'];
    const isPartOfCode = parseCode(code).kind === 'unknown' && message === undefined;
    // Its code may stand in an empty form: the next one was typed over it.
    const isUndone = this.#showsUndone || (lookup.result === null && code === this.#undone?.isbn);
    if (!entry.isBlank && !isUndone && !isPartOfCode) {
      if (message !== undefined) evening.note(code, { kind: 'failed', message });
      else if (lookup.selected !== null && entry.check())
        void evening.add(evening.note(code, { kind: 'adding' }), entry.toSaisie());
      // What was found by the title says nothing of the code.
      else if (lookup.result === null || lookup.kind === 'titre') evening.see(code);
      else evening.follow(code, lookup.result);
    }
    this.show();
    this.draft.restart();
  }

  /** Empties the form of a book whose addition was undone once another book's code is typed into it. */
  codeChanged(): void {
    const isbn = isbnAsWritten(this.entry.text('isbn'));
    if (!this.#showsUndone || isbn === null || isbn === this.#undone?.isbn) return;
    const entry = this.rules.newEntry();
    entry.setText('isbn', this.entry.text('isbn'));
    this.show(entry);
  }

  get isLastUndone(): boolean {
    return this.last?.act?.isUndone === true;
  }

  /** The addition of the last book was undone: its entry comes again, unless the next one has been begun. */
  restoreLast(): void {
    const { last } = this;
    const line = evening.pile.lines.find(
      ({ state }) => state.kind === 'added' && state.livre.id === last?.livre.id,
    );
    if (line !== undefined) evening.noteRemoved(line);
    this.hasAdded = false;
    if (last === null || !this.entry.isBlank) return;
    this.show(last.entry);
    this.#undone = { entry: last.entry, isbn: last.livre.isbn };
  }

  /** Drops the line of a code that has left the form; one from before a reload, or from another tab, goes on in the pile. */
  followForm(): void {
    const code = this.#code;
    for (const line of evening.pile.lines) {
      if (line.state.kind !== 'inForm') continue;
      if (line.code === code) this.#given = code;
      else if (line.code === this.#given) evening.pile.drop(line);
      else evening.lookUpLines(line);
    }
  }

  dropGiven(): void {
    const given = ({ code, state }: EveningLine) => state.kind === 'inForm' && code === this.#given;
    evening.pile.drop(...evening.pile.lines.filter(given));
  }

  async #send(entry: LivreEntry, givenUp: AbortSignal, confirmerDoublon: boolean): Promise<void> {
    const leaving = this.leaving.ids;
    const { added, act } = await unsentCovers.add(
      async (batch) => {
        const emplacementId = await emplacementOf(evening.emplacement, batch);
        const saisie = { ...entry.toSaisie(), emplacementId };
        const notice = ({ id }: Livre) => ({ href: href(`/livres/${id}`) });
        return ajouterLivre(saisie, { query: { confirmerDoublon }, batch, givenUp, notice });
      },
      entry.image,
      ({ id, titre }) => ({ record: { kind: 'livres', id }, titre }),
      givenUp,
    );
    this.last = { livre: added, entry, act };
    // One act for the person, and told as the book alone.
    const removal = new Batch();
    await removeArrived(leaving, removal);
    act?.extend(removal);
    // The line of a scanned book shows the addition, too.
    const lines = evening.pile.lines.filter(({ code }) => code === added.isbn);
    const line = lines.find(({ state }) => state.times !== undefined) ?? lines[0];
    if (line !== undefined) evening.noteAdded(line, added);
  }
}
