import type { LivreEntry } from '$lib/records/livres/entry.svelte';
import { livresView } from '$lib/records/livres/view.svelte';
import { parseCode } from '$lib/recherche/code';
import { scanned } from '$lib/recherche/scanned.svelte';
import {
  addedState,
  stateOf,
  stateOfRefusal,
  type ShelfLine,
  type ShelfState,
} from '$lib/recherche/shelf.svelte';
import { shelfLabels } from '$lib/scanner/shelf-labels';
import { connection } from '$lib/sync/connection.svelte';
import { m } from '$lib/paraglide/messages';
import type { Addition } from './addition.svelte.ts';

interface FormPort {
  /** The form shows what was typed at an earlier time, which nothing adds unasked. */
  readonly isDraft: () => boolean;
  readonly lookUp: () => Promise<void>;
  /** The form is empty again. */
  readonly oncleared: () => void;
}

/**
 * Scans one book after another into the form. The next code adds the book that the form shows where
 * that is complete, else gives it a line to be finished; codes wait while one is asked.
 */
export class ScanSession {
  readonly #addition: Addition;
  readonly #form: FormPort;
  /** The code that the form was given last. */
  #given: string | null = null;
  #isRunning = false;
  #isOver = false;
  /** The form is being emptied for the first of the codes that wait. */
  #isFreeing = false;

  constructor(addition: Addition, form: FormPort) {
    this.#addition = addition;
    this.#form = form;
  }

  /** Takes a code; the form has it, or the list while the form is busy with another. */
  async take(code: string): Promise<void> {
    scanned.waiting = [...scanned.waiting, keyOf(code)];
    if (this.#isRunning) this.#passOn();
    else await this.run();
  }

  /** Has the list ask about the codes that wait, but for one that the form is emptied for. */
  #passOn(): void {
    if (!this.canRun) return;
    const kept = this.#isFreeing ? 1 : 0;
    const passed = scanned.waiting.slice(kept);
    scanned.waiting = scanned.waiting.slice(0, kept);
    this.#list(passed);
  }

  /** Has the list ask about codes, side by side. */
  #list(codes: readonly string[]): void {
    const shown = keyOf(this.#addition.entry.text('isbn'));
    for (const code of codes) {
      const line = scanned.shelf.lineOf(code);
      if (line !== undefined) scanned.announcement = m.scan_line_again(shelfLabels(line));
      else if (code !== shown) scanned.shelf.see(code);
    }
  }

  /**
   * Whether it can be told what becomes of a code: the copy says which books are owned, and it is known
   * whether one can be added.
   */
  get canRun(): boolean {
    return livresView.isReady && connection.moi !== null;
  }

  /** Goes on with the codes that wait, as long as it can. */
  async run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    // Of a pile that has waited for the copy the form has the last.
    const pile = this.canRun ? scanned.waiting.slice(0, -1) : [];
    scanned.waiting = scanned.waiting.slice(pile.length);
    this.#list(pile);
    try {
      for (;;) {
        this.#isFreeing = true;
        await this.#addition.settled;
        this.#passOn();
        const [code] = scanned.waiting;
        if (code === undefined || this.#isOver || !this.canRun) return;
        const isFree = await this.#free(code);
        this.#isFreeing = false;
        if (!isFree) continue;
        scanned.waiting = scanned.waiting.slice(1);
        this.#given = code;
        this.#addition.entry.setText('isbn', code);
        await this.#form.lookUp();
      }
    } finally {
      this.#isFreeing = false;
      this.#isRunning = false;
    }
  }

  /** Takes a line back into the form, to be finished there. */
  async resume(line: ShelfLine): Promise<void> {
    await this.#addition.settled;
    await this.#putAway();
    scanned.shelf.drop(line);
    if (line.state.kind === 'begun') this.#addition.show(line.state.entry);
    else await this.take(line.code);
  }

  /** The last book was added by hand, or taken back: its line shows what the bar has said. */
  noteLast(): void {
    const { last, isLastUndone } = this.#addition;
    const isbn = last?.livre.isbn ?? null;
    if (last === null || isbn === null) return;
    if (isLastUndone && scanned.shelf.lineOf(isbn)?.state.kind === 'added')
      scanned.shelf.put(isbn, { kind: 'removed' }, true);
    else if (!isLastUndone && scanned.shelf.lines.length > 0)
      scanned.shelf.put(isbn, addedState(last.livre), true);
  }

  /** The screen is left: what waits stays for the next time. */
  end(): void {
    this.#isOver = true;
  }

  /** Makes the form ready for a code; false where the code needs no form and is done with. */
  async #free(code: string): Promise<boolean> {
    const { entry, search } = this.#addition;
    this.#dropHalfCode();
    const shown = keyOf(entry.text('isbn'));
    const isAnswered = ['one', 'many', 'none', 'revue'].includes(search.result?.outcome ?? '');
    const line = scanned.shelf.lineOf(code);
    if (line?.state.kind === 'added') return this.#skip(m.scan_line_again(shelfLabels(line)));
    if (shown === code && isAnswered) {
      const titre = entry.text('titre').trim();
      return this.#skip(m.scan_again({ code: titre === '' ? code : titre }));
    }
    if (shown !== '' && shown !== code) await this.#putAway();
    return true;
  }

  #skip(announcement: string): false {
    scanned.announcement = announcement;
    scanned.waiting = scanned.waiting.slice(1);
    return false;
  }

  /** Adds what the form shows, or gives it a line; then the form is empty. */
  async #putAway(): Promise<void> {
    const addition = this.#addition;
    this.#dropHalfCode();
    const code = keyOf(addition.entry.text('isbn'));
    if (!addition.showsUndone && !addition.entry.isBlank && !this.#isPartOfCode(code)) {
      if (this.#isComplete && (await addition.save(false, false)) && addition.last !== null)
        scanned.shelf.put(code, addedState(addition.last.livre));
      else scanned.shelf.put(code, this.#unfinished(code));
    }
    addition.show();
    this.#form.oncleared();
  }

  /** Takes out what the scanner has typed of the next code, into the field of the one before. */
  #dropHalfCode(): void {
    const { entry } = this.#addition;
    if (this.#given !== null && entry.text('isbn').startsWith(this.#given))
      entry.setText('isbn', this.#given);
  }

  /** Whether the form has only digits of a code that has its line: its scanner typed them while the form was busy. */
  #isPartOfCode(code: string): boolean {
    const isCode = parseCode(code).kind !== 'unknown';
    return (
      !isCode &&
      !isFilled(this.#addition.entry) &&
      scanned.shelf.lines.some((line) => line.code.includes(code))
    );
  }

  get #isComplete(): boolean {
    const { entry, search } = this.#addition;
    const needsChoice = search.result?.outcome === 'many' && search.selected === null;
    return !needsChoice && !this.#form.isDraft() && connection.canWrite && entry.check();
  }

  /** What is left to a person of what the form shows. */
  #unfinished(code: string): ShelfState {
    const { entry, search, action } = this.#addition;
    const refused = stateOfRefusal(action.refusal, code, entry.toSaisie());
    if (refused !== null) return refused;
    if (isFilled(entry)) return { kind: 'begun', entry, message: action.error };
    const [livre] = livresView.byIsbn(code);
    if (livre !== undefined) return { kind: 'owned', livre };
    if (search.result !== null) return stateOf(search.result);
    return { kind: 'failed', message: null };
  }
}

/** Whether an entry holds more than its code. */
const isFilled = (entry: LivreEntry): boolean =>
  entry.image !== null ||
  entry.fields.some(
    ({ key, options }) => key !== 'isbn' && options === undefined && entry.text(key).trim() !== '',
  );

/** A code as the shelf tells codes apart: a book's with its 13 digits. */
function keyOf(text: string): string {
  const code = parseCode(text);
  return code.kind === 'livre' ? code.isbn : text.trim();
}
