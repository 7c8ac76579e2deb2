import { tick } from 'svelte';
import type { Refusal } from '$lib/api/call';
import { m } from '$lib/paraglide/messages';
import type { Conflict, Difference } from '../conflict/conflict.svelte.ts';
import { keepDraft, type Draft, type DraftTexts, type SeenTexts } from './draft.svelte.ts';
import { Form, type FormEntry } from './form.svelte.ts';

/** The entry of a form with a draft. */
export type DraftEntry = FormEntry & DraftTexts;

/** The conflict of a form, whatever its record. */
export type FormConflict = SeenTexts &
  Pick<
    Conflict<object>,
    'keep' | 'take' | 'isGone' | 'isUnsettled' | 'hasNews' | 'differences' | 'who' | 'sentence'
  >;

interface Options {
  /** The name of its draft, as `livres/12`. */
  readonly name: string;
  readonly entry: () => DraftEntry;
  /** The conflict with other people's edits of the record; a new record has none. */
  readonly conflict?: FormConflict | undefined;
}

/** A form of a record, new or existing: it keeps a draft, and settles field by field what others write meanwhile. */
export class DraftForm extends Form {
  readonly draft: Draft;
  readonly conflict: FormConflict | undefined;

  constructor({ name, entry, conflict }: Options) {
    super({ entry });
    this.conflict = conflict;
    this.draft = keepDraft(name, entry, conflict);
  }

  protected override isRight(): boolean {
    return this.conflict?.isUnsettled !== true && super.isRight();
  }

  protected override showAtField(refusal: Refusal | null): boolean {
    return super.showAtField(refusal) || this.conflict?.hasNews === true;
  }

  protected override isShown(): boolean {
    return super.isShown() || this.conflict?.hasNews === true;
  }

  override async toError(): Promise<void> {
    const { conflict } = this;
    await tick();
    const isNews = conflict?.isUnsettled || (conflict?.hasNews && this.action.refusal !== null);
    if (isNews === true) this.toNews();
    else await super.toError();
  }

  /** « Bob, Éditeur : Folio », or the number of changed fields; `undefined` where there is nothing to compare. */
  get newsLine(): string | undefined {
    if (this.conflict?.hasNews !== true) return undefined;
    const { differences, who } = this.conflict;
    const [only] = differences;
    if (only === undefined || differences.length > 1)
      return m.conflict_count({ who, count: differences.length });
    const text = only.theirs || m.conflict_blank();
    return m.conflict_field({ who, champ: only.label, text });
  }

  toNews(): void {
    this.find('[data-news] button')?.focus();
  }

  showNews(): void {
    this.toNews();
    this.find('[data-news]')?.scrollIntoView({ block: 'nearest' });
  }

  async resolve({ key }: Difference, choice: 'keep' | 'take'): Promise<void> {
    this.conflict?.[choice](key);
    await tick();
    if (this.conflict?.hasNews) this.toNews();
    else this.find('[type=submit]')?.focus();
  }
}
