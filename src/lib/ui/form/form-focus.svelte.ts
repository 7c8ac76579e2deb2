import { onMount } from 'svelte';
import { afterNavigate } from '$app/navigation';
import { focusError } from '../focus.ts';

/** Where the focus of a form goes. Create while the form's component is set up. */
export class FormFocus {
  /** What is wrong with the field that has the focus already, for screen readers. */
  announcement = $state('');
  readonly #form: () => HTMLElement;
  readonly #first: () => string | null;

  constructor(form: () => HTMLElement, first: () => string | null) {
    this.#form = form;
    this.#first = first;
    onMount(() => this.toFirst());
    // Kit takes the focus from a form that is mounted together with the application.
    afterNavigate(({ type }) => {
      if (type === 'enter' && document.activeElement === document.body) this.toFirst();
    });
  }

  toFirst(): void {
    const name = this.#first();
    if (name !== null) this.to(name);
  }

  /** Focuses a field and selects its text, so that what is typed next replaces it. */
  to(name: string): void {
    const input = this.#form().querySelector<HTMLInputElement>(`[name="${name}"]`);
    input?.focus();
    input?.select();
  }

  async toError(): Promise<void> {
    this.announcement = '';
    this.announcement = await focusError(this.#form());
  }
}
