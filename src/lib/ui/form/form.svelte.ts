import { onMount, tick } from 'svelte';
import type { Attachment } from 'svelte/attachments';
import { afterNavigate } from '$app/navigation';
import type { Refusal } from '$lib/api/call';
import { connection } from '$lib/sync/connection.svelte';
import { Action } from '../action.svelte.ts';
import { focusError } from '../take-focus.ts';
import { giveUp } from './form-exit.svelte.ts';

/** What is typed into a form, as far as the form asks. */
export interface FormEntry {
  /** True where the browser checks the fields, too. */
  readonly isForBrowser?: boolean;
  /** Shows at the fields what is wrong; true where nothing is. */
  check(): boolean;
  /** Shows a refusal at its fields; true where a field takes it. */
  showAtField(refusal: Refusal | null): boolean;
}

type Work<T> = (givenUp: AbortSignal) => Promise<T>;

interface Options {
  /** Where other controls do or follow the same write. */
  readonly action?: Action | undefined;
  /** What is typed by now; without it the browser checks the fields, and no refusal belongs to one. */
  readonly entry?: () => FormEntry | undefined;
  /** False before anybody has signed in: then nothing can be written but this. */
  readonly writes?: () => boolean;
}

/**
 * What every form does, whatever its fields: it is sent once at a time, and only while something can be written; what is wrong
 * in it, before it is sent or by a refusal, is shown at its field, which has the focus then; what is not sent yet can be
 * given up. Create while a component is set up.
 */
export class Form {
  readonly action: Action;
  /** What is wrong with the field that has the focus already, for screen readers. */
  announcement = $state('');
  #element: HTMLFormElement | null = null;
  /** The refusal that is told at the fields, or between them and the button. */
  #shownAtField = $state.raw<Refusal | null>(null);
  readonly #entry: () => FormEntry | undefined;
  readonly #writes: () => boolean;

  constructor({ action, entry = () => undefined, writes = () => true }: Options = {}) {
    this.action = action ?? new Action();
    this.#entry = entry;
    this.#writes = writes;
  }

  /** For the element of the form. */
  readonly element: Attachment<HTMLFormElement> = (element) => {
    this.#element = element;
    return () => (this.#element = null);
  };

  /** True where something in the form says why it was refused. */
  get isShownAtField(): boolean {
    return this.#shownAtField !== null && this.#shownAtField === this.action.refusal;
  }

  get canSend(): boolean {
    return !this.action.pending && (!this.#writes() || connection.canWrite);
  }

  /**
   * Sends what is typed, unless something in it is wrong. `lead` and `part` are those of `Action.run`.
   *
   * @returns true once it is done; otherwise the form says why not
   */
  async submit<T>(
    work: Work<T>,
    onSuccess?: (answer: T) => unknown,
    part?: AbortSignal,
  ): Promise<boolean> {
    if (await this.check()) return this.send(work, onSuccess, part);
    return false;
  }

  /** True where nothing typed is wrong; otherwise the focus goes where something is. */
  async check(): Promise<boolean> {
    if (this.isRight()) return true;
    await this.toError();
    return false;
  }

  protected isRight(): boolean {
    return this.#entry()?.check() ?? true;
  }

  /** Sends what is right as it stands, or what a person wants all the same. */
  async send<T>(
    work: Work<T>,
    onSuccess?: (answer: T) => unknown,
    part?: AbortSignal,
  ): Promise<boolean> {
    const isDone = await this.action.run(work, onSuccess, part);
    if (!isDone && this.action.error !== null) {
      const { refusal } = this.action;
      this.#shownAtField = this.showAtField(refusal) ? refusal : null;
      await this.toError();
      if (!this.isShown()) this.#shownAtField = null;
    }
    return isDone;
  }

  protected showAtField(refusal: Refusal | null): boolean {
    return this.#entry()?.showAtField(refusal) ?? false;
  }

  /** False where the field that took a refusal is not drawn. */
  protected isShown(): boolean {
    return this.find('[aria-invalid]') !== null;
  }

  /** Gives up what is not sent; `ondropped` is that of `giveUp`. */
  giveUp(ondropped?: () => void): void {
    giveUp(this.action, ondropped);
  }

  /** Focuses a field by its name and selects its text, so that what is typed next replaces it. */
  to(name: string): void {
    const field = this.find(`[name="${name}"]`);
    field?.focus();
    if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.select();
  }

  /** Focuses « Enregistrer », and scrolls to it only where it is below the window. */
  toSubmit(): void {
    const button = this.find('[type=submit]');
    button?.focus({ preventScroll: true });
    if (button && button.getBoundingClientRect().bottom > innerHeight)
      button.scrollIntoView({ block: 'nearest' });
  }

  /** Focuses what is wrong, unless the form has been left meanwhile. */
  async toError(): Promise<void> {
    this.announcement = '';
    await tick();
    if (this.#element !== null) this.announcement = await focusError(this.#element);
  }

  find(selector: string): HTMLElement | null {
    return this.#element?.querySelector<HTMLElement>(selector) ?? null;
  }
}

/** Has a form begin in a field, `null` for none. Call while the component that draws the form is set up. */
export function beginIn(form: Form, first: () => string | null): void {
  const begin = () => {
    const name = first();
    if (name !== null) form.to(name);
  };
  onMount(begin);
  // Kit takes the focus from a form that is mounted together with the application.
  afterNavigate(({ type }) => {
    if (type === 'enter' && document.activeElement === document.body) begin();
  });
}
