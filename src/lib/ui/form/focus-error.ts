import { tick } from 'svelte';

/**
 * Leads to what is wrong in a form: the first wrong field gets the focus, by which its sentence is read.
 *
 * @returns the sentence where the focus was there already, as after Enter, so that nothing would read it
 */
export async function focusError(form: HTMLElement): Promise<string> {
  await tick();
  const field = form.querySelector<HTMLElement>('[aria-invalid]');
  const wasThere = field !== null && field === document.activeElement;
  field?.focus();
  const sentence = field?.getAttribute('aria-describedby') ?? '';
  return wasThere ? (document.getElementById(sentence)?.textContent.trim() ?? '') : '';
}
