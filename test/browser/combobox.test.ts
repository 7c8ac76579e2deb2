import { createRawSnippet, mount, unmount } from 'svelte';
import { onTestFinished, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import Combobox from '$lib/ui/form/Combobox.svelte';

/** A field with these suggestions; returns whether the last key was handled. */
function field(suggestions: readonly string[]) {
  const option = createRawSnippet((text: () => unknown) => ({
    render: () => `<span>${String(text())}</span>`,
  }));
  const combobox = mount(Combobox, {
    target: document.body,
    props: {
      listLabel: 'Noms',
      suggest: () => suggestions,
      option,
      onchoose: () => null,
      value: '',
    },
  });
  let isUsed = false;
  const note = (event: Event) => (isUsed = event.defaultPrevented);
  addEventListener('keydown', note);
  onTestFinished(async () => {
    removeEventListener('keydown', note);
    await unmount(combobox);
  });
  document.querySelector('input')?.focus();
  return { isUsed: () => isUsed };
}

test.each([
  [[], false],
  [['Colette', 'Gracq'], true],
])('an arrow is used where a list opens: %j', async (suggestions, used) => {
  const { isUsed } = field(suggestions);
  await userEvent.keyboard('{ArrowDown}');
  expect(isUsed()).toBe(used);
  expect(document.querySelector('input')?.getAttribute('aria-expanded')).toBe(String(used));
});
