import { untrack } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import { codeKey, parseCode } from '$lib/recherche/code';
import { CurrentLookup, invalidCode, type LookupResult } from '$lib/recherche/lookup.svelte';
import { LivreEntry, type SerieDecisions } from '$lib/records/livres/kind.svelte';
import { livresView } from '$lib/records/livres/view.svelte';
import type { Edition } from '#shared/candidats';
import { formatIsbn } from '#shared/isbn-format';
import { isOurs, type LivreDocument } from '#shared/livres';
import { nextState, type AddEvent, type AddState } from './add-machine.ts';

/** Digits and separators of a code. */
const PART_OF_CODE = /^[\dX\s-]*$/iu;
/** From this number of digits on, the text is a misspelt code rather than a title. */
const MIN_CODE_DIGITS = 8;

/** Fields specific to one copy: its series, lender and format. */
const NOT_OF_COPY = new Set(['serie', 'numero', 'tomes', 'empruntNom', 'empruntRendre', 'format']);

const digitsOf = (text: string): number => text.replace(/[^\dX]/giu, '').length;

/** The search field and its card: the text, the lookup, the state (`add-machine.ts`) and the card's entry. */
export class LivreQuestion {
  entry: LivreEntry;
  state = $state<AddState>('Idle');
  /** The typed title or author; '' if the field has a code. */
  words = $state('');
  /** The owned books with the code. */
  owned = $state.raw<readonly LivreDocument[]>([]);
  /** True once a person has chosen among several editions. */
  isPicked = $state(false);
  /** True for another copy of a household's book, which is not questioned again. */
  isCopy = $state(false);
  /** The labels of the fields where the typed text stayed when a record filled the entry. */
  keptLabels = $state.raw<readonly string[]>([]);
  readonly lookup = new CurrentLookup();
  readonly #decisions: SerieDecisions = new SvelteMap<string, boolean>();

  constructor() {
    this.entry = $state.raw(this.newEntry());
  }

  newEntry(): LivreEntry {
    return new LivreEntry(null, this.#decisions);
  }

  on(event: AddEvent): void {
    untrack(() => (this.state = nextState(this.state, event)));
  }

  get query(): string {
    return this.words === '' ? this.entry.text('isbn') : this.words;
  }

  set query(text: string) {
    const { entry } = this;
    if (PART_OF_CODE.test(text)) {
      this.words = '';
      entry.setText('isbn', text);
      return;
    }
    // The code of an edition that was found by words stays with the edition.
    const isFound = this.words !== '' && !entry.isWritten('isbn');
    this.words = text;
    if (!isFound) entry.setText('isbn', '');
  }

  get isCode(): boolean {
    const { query } = this;
    if (parseCode(query).kind !== 'unknown') return true;
    return PART_OF_CODE.test(query) && digitsOf(query) >= MIN_CODE_DIGITS;
  }

  get isSearching(): boolean {
    return this.lookup.term !== null && this.lookup.result === null;
  }

  /** Whether the question waits for the network: no catalogue was asked. */
  get isLost(): boolean {
    const { result, canAsk } = this.lookup;
    return this.state === 'Unknown' && result === null && !canAsk && this.query.trim() !== '';
  }

  /** The editions of the answer, the likeliest first. */
  get editions(): readonly Edition[] {
    const { result } = this.lookup;
    return result !== null && 'candidats' in result ? result.candidats : [];
  }

  /** Looks up the field's text; `null` if no catalogue was asked. */
  async ask(): Promise<LookupResult | null> {
    if (this.query.trim() === '') {
      this.leave();
      return null;
    }
    return this.isCode ? this.#askCode() : this.#askWords();
  }

  async #askCode(): Promise<LookupResult | null> {
    const { entry, query } = this;
    this.reset();
    const invalid = invalidCode(query);
    if (invalid !== null) {
      // A card that is filled by hand stays.
      if (this.state !== 'Unknown') this.on('leave');
      entry.errors = { isbn: invalid.message };
      return invalid;
    }
    // Values of another code's record are removed.
    if (codeKey(query) !== entry.prefilled.code) entry.clearPrefilled();
    if (this.recheck()) return null;
    return this.#lookUp(() => this.lookup.byCode(query));
  }

  /** Looks the code up in the replica only; returns whether the household owns the book. */
  recheck(): boolean {
    const code = parseCode(this.entry.text('isbn'));
    const owned = code.kind === 'livre' ? livresView.byIsbn(code.isbn).filter(isOurs) : [];
    const [first] = owned;
    if (first === undefined) return false;
    if (this.isOfAny) {
      this.#fillFrom(first);
      this.on('ask');
      this.on('find');
      return true;
    }
    this.owned = owned;
    this.on('own');
    return true;
  }

  /** Whether a household's book is shown like a found one, as for a reading. */
  get isOfAny(): boolean {
    return false;
  }

  #fillFrom(livre: LivreDocument): void {
    const from = new LivreEntry(livre);
    const texts = Object.fromEntries(
      from.fields
        .filter(({ key }) => !NOT_OF_COPY.has(key))
        .map(({ key }) => [key, from.text(key)]),
    );
    this.entry.prefill({ code: livre.isbn, texts });
  }

  #askWords(): Promise<LookupResult | null> {
    const words = this.query.trim();
    this.reset();
    const isFilled = this.words !== '' && this.entry.isWritten('isbn');
    if (!isFilled) this.entry.setText('isbn', '');
    this.words = words;
    this.entry.clearPrefilled();
    return this.#lookUp(() => this.lookup.byTitre(words, ''));
  }

  async #lookUp(ask: () => Promise<LookupResult | null>): Promise<LookupResult | null> {
    if (!this.lookup.canAsk) {
      this.#miss();
      return null;
    }
    this.on('ask');
    const result = await ask();
    if (result === null) return null;
    const [likeliest] = this.editions;
    if (likeliest !== undefined) {
      this.#show(likeliest);
    } else if (result.outcome === 'revue') this.on('leave');
    else this.#miss();
    return result;
  }

  #miss(): void {
    this.#proposeWords();
    this.on('miss');
  }

  /** An unsuccessful search becomes the title, so that it need not be typed twice. */
  #proposeWords(): void {
    if (this.words !== '') this.entry.propose('titre', this.words);
  }

  /** Lets a person fill the card. */
  write(): void {
    this.reset();
    this.#proposeWords();
    this.on('write');
  }

  select(edition: Edition): void {
    const { entry, lookup } = this;
    // The found title replaces the searched one.
    if (lookup.kind === 'titre') {
      entry.setText('titre', '');
      if (edition.auteurs.length > 0) entry.setText('auteurs', '');
    }
    const kept = entry.autofill(edition, codeKey(entry.text('isbn')) || null);
    this.keptLabels = entry.fields
      .filter(({ key }) => kept.includes(key))
      .map(({ label }) => label());
    lookup.selected = edition;
  }

  pick(edition: Edition): void {
    this.isPicked = true;
    this.on('pick');
    this.#show(edition);
  }

  /** Shows an edition; if the household has it, like a scanned book of the household. */
  #show(edition: Edition): void {
    this.owned = [];
    this.isCopy = false;
    this.select(edition);
    this.on('find');
    if (!this.isOfAny) this.recheck();
  }

  /** Shows another copy of a household's book to add: of the found edition, if any. */
  copy(livre: LivreDocument): void {
    if (this.lookup.selected === null) {
      this.show();
      this.#fillFrom(livre);
    }
    this.isCopy = true;
    this.on('copy');
  }

  /** Shows another entry, by default an empty one, without a lookup. */
  show(entry = this.newEntry()): void {
    this.reset();
    this.words = '';
    this.entry = entry;
  }

  /** Drops the question and keeps the typed values. */
  leave(): void {
    this.reset();
    this.on('leave');
  }

  /** Clears the answers of the catalogues and the errors. */
  reset(): void {
    this.lookup.reset();
    this.keptLabels = [];
    this.owned = [];
    this.isPicked = false;
    this.isCopy = false;
    this.entry.errors = {};
  }
}

/** A code in its printed form; other texts are unchanged. */
export function printedCode(text: string): string {
  const code = parseCode(text);
  return code.kind === 'livre' ? formatIsbn(code.isbn) : text;
}
