import { flushSync, mount, unmount } from 'svelte';
import { expect, onTestFinished, test, vi } from 'vitest';
import ResultCount from '$lib/livres/catalogue/ResultCount.svelte';

test('the first count is not updated for nothing', () => {
  const frame = vi.spyOn(window, 'requestAnimationFrame');
  const count = mount(ResultCount, {
    target: document.body,
    props: { count: 3, isFiltered: false, canFold: false, canShowAll: true, onshowall: () => null },
  });
  onTestFinished(async () => {
    frame.mockRestore();
    await unmount(count);
  });
  flushSync();
  expect(document.querySelector('.result-count')).not.toBeNull();
  expect(frame).not.toHaveBeenCalled();
});
