import { onMount, tick } from 'svelte';
import type { Attachment } from 'svelte/attachments';
import { afterNavigate } from '$app/navigation';
import type { Refusal } from '$lib/api/call';
import { connection } from '$lib/sync/connection.svelte';
import { Action } from '../action.svelte.ts';
import { focusError } from '../take-focus.ts';
import { giveUp } from './form-exit.svelte.ts';

/** The typed values of a form. */
export interface FormEntry {
  /** True where the browser checks the fields, too. */
  readonly isForBrowser?: boolean;
  /** Shows errors at the fields; true without any. */
  check(): boolean;
  /** Shows a refusal at its fields; true if a field takes it. */
  showAtField(refusal: Refusal | null): boolean;
}

type Work<T> = (givenUp: AbortSignal) => Promise<T>;

interface Options {
  /** Shared with other controls of the same write. */
  readonly action?: Action | undefined;
  /** The present typed values; without it the browser validates the fields, and no refusal belongs to one. */
  readonly entry?: () => FormEntry | undefined;
  /** False before anybody has signed in: then nothing can be written but this. */
  readonly writes?: () => boolean;
}

/**
 * The behaviour of every form: one submit at a time, only while something can be written; errors and refusals are
 * shown at their field, which gets the focus; an unsent write can be cancelled. Create during a component's setup.
 */
export class Form {
  readonly action: Action;
  /** The error of the field that is focused already, for screen readers. */
  announcement = $state('');
  #element: HTMLFormElement | null = null;
  /** The refusal shown at the fields, or between them and the button. */
  #shownAtField = $state.raw<Refusal | null>(null);
  readonly #entry: () => FormEntry | undefined;
  readonly #writes: () => boolean;

  constructor({ action, entry = () => undefined, writes = () => true }: Options = {}) {
    this.action = action ?? new Action();
    this.#entry = entry;
    this.#writes = writes;
  }

  /** Attach it to the form element. */
  readonly element: Attachment<HTMLFormElement> = (element) => {
    this.#element = element;
    return () => (this.#element = null);
  };

  /** True if the form shows its refusal. */
  get isShownAtField(): boolean {
    return this.#shownAtField !== null && this.#shownAtField === this.action.refusal;
  }

  get canSend(): boolean {
    return !this.action.pending && (!this.#writes() || connection.canWrite);
  }

  /**
   * Submits unless a field has an error. `onSuccess` and `part` as in `Action.run`.
   *
   * @returns true on success; otherwise the form shows the reason
   */
  async submit<T>(
    work: Work<T>,
    onSuccess?: (answer: T) => unknown,
    part?: AbortSignal,
  ): Promise<boolean> {
    if (await this.check()) return this.send(work, onSuccess, part);
    return false;
  }

  /** True without errors; otherwise focuses the first one. */
  async check(): Promise<boolean> {
    if (this.isRight()) return true;
    await this.toError();
    return false;
  }

  protected isRight(): boolean {
    return this.#entry()?.check() ?? true;
  }

  /** Sends valid values, or values that a person has confirmed. */
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

  /** Cancels an unsent write; `ondropped` as in `giveUp`. */
  giveUp(ondropped?: () => void): void {
    giveUp(this.action, ondropped);
  }

  /** Focuses a field by its name and selects its text for overwriting. */
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

  /** Focuses the error, unless the form was left meanwhile. */
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
  // SvelteKit moves the focus away from a form that is mounted with the application.
  afterNavigate(({ type }) => {
    if (type === 'enter' && document.activeElement === document.body) begin();
  });
}
