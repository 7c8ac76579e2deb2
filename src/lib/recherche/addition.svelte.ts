import { page } from '$app/state';
import { KeptForm } from '$lib/ui/form/kept-form.svelte';
import type { TextEntry } from '$lib/ui/form/text-entry.svelte';
import type { Edition } from '#shared/candidats';
import { codeKey } from './code.ts';
import { CurrentLookup, invalidCode, type LookupResult } from './lookup.svelte.ts';

export interface Rules<E> {
  /** The name of its draft. */
  readonly name: string;
  /** The fields that the address may give: a scanned code, the words of a search that found nothing. */
  readonly given: readonly string[];
  newEntry(): E;
  /** @returns the keys of the fields that keep what was typed */
  fill(entry: E, edition: Edition, by: CurrentLookup['kind']): readonly string[];
  auteurOf(entry: E): string;
  /** @throws the refusals of the addition */
  send(entry: E, givenUp: AbortSignal, isConfirmed: boolean): Promise<unknown>;
}

type AnyEntry = TextEntry<never, unknown>;

export type AnyAddition = Addition<AnyEntry>;

/** A new record that the outside catalogues can fill: what is typed, what they have answered, and its draft. */
export class Addition<E extends AnyEntry> {
  entry: E;
  /** The labels of the fields where the typed text stayed when a record filled the form. */
  keptLabels = $state.raw<readonly string[]>([]);
  /** A record was added: « Annuler » has become « Fermer ». */
  hasAdded = $state(false);
  readonly form: KeptForm;
  readonly action: KeptForm['action'];
  readonly draft: KeptForm['draft'];
  readonly lookup = new CurrentLookup();
  readonly rules: Rules<E>;

  /** To be called while a component is set up. */
  constructor(rules: Rules<E>) {
    this.rules = rules;
    this.entry = $state.raw(rules.newEntry());
    const given = this.#takeGiven();
    // A given code has a draft of its own: what was typed for another one stays there.
    const name = [rules.name, ...given].join('/');
    this.form = new KeptForm({ name, entry: () => this.entry });
    ({ action: this.action, draft: this.draft } = this.form);
  }

  #takeGiven(): string[] {
    return this.rules.given.flatMap((key) => {
      const text = page.url.searchParams.get(key)?.trim() ?? '';
      if (text === '') return [];
      this.entry.setText(key, text);
      return [text];
    });
  }

  get isSearching(): boolean {
    return this.lookup.term !== null && this.lookup.result === null;
  }

  /** Looks the typed code up, and fills the form where there is one record; `null` where nothing was asked. */
  async lookUp(): Promise<LookupResult | null> {
    const { entry } = this;
    const text = entry.text('isbn');
    this.reset();
    if (text.trim() === '') return null;
    const invalid = invalidCode(text);
    if (invalid !== null) {
      entry.errors = { isbn: invalid.message };
      return invalid;
    }
    if (!this.lookup.canAsk) return null;
    // What the record of another code has filled in goes.
    if (codeKey(text) !== entry.prefilled.code) entry.clearPrefilled();
    const result = await this.lookup.byCode(text);
    if (result?.outcome === 'one' && result.candidats[0] !== undefined)
      this.select(result.candidats[0]);
    return result;
  }

  async searchTitre(): Promise<void> {
    const titre = this.entry.text('titre').trim();
    if (titre === '' || !this.lookup.canAsk) return;
    this.reset();
    await this.lookup.byTitre(titre, this.rules.auteurOf(this.entry));
  }

  select(edition: Edition): void {
    const { entry, lookup } = this;
    const kept = this.rules.fill(entry, edition, lookup.kind);
    this.keptLabels = entry.fields
      .filter(({ key }) => kept.includes(key))
      .map(({ label }) => label());
    lookup.selected = edition;
  }

  /** Adds the record and empties the form for the next one; `lead` and `part` are those of `Action`. */
  async save(isConfirmed: boolean, lead: () => unknown, part: AbortSignal): Promise<void> {
    const { entry } = this;
    const add = async (givenUp: AbortSignal) => {
      await this.rules.send(entry, givenUp, isConfirmed);
      this.restart();
    };
    await this.form.submit(add, lead, part);
  }

  /** Empties the form for the next record, once this one is saved or noted. */
  restart(): void {
    this.hasAdded = true;
    this.show();
    this.draft.restart();
  }

  /** Shows another entry, by default an empty one, of which no catalogue has been asked. */
  show(entry: E = this.rules.newEntry()): void {
    this.reset();
    this.entry = entry;
  }

  /** Clears the answers of the catalogues and the errors, and leaves what is typed. */
  reset(): void {
    this.lookup.reset();
    this.action.reset();
    this.keptLabels = [];
    this.entry.errors = {};
  }
}
