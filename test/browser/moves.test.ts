import { flushSync, mount, unmount } from 'svelte';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { HOUSEHOLD_HEADER } from '#shared/endpoint';
import UnsentCovers from '$lib/couvertures/UnsentCovers.svelte';
import { unsentCovers } from '$lib/couvertures/unsent.svelte';
import { HouseholdNote } from '$lib/sync/household-note.svelte';
import { device, notes } from '$lib/sync/this-device';

const { status } = device;
const goTo = (bibliotheque: string) => (device.status = { ...device.status, bibliotheque });

afterEach(() => {
  device.status = status;
  localStorage.clear();
});

test('a list of ids stored in one household is ignored in the next', () => {
  goTo('one');
  const list = new HouseholdNote<number>('moves');
  list.change((ids) => [3, ...ids]);
  expect([list.value, new HouseholdNote<number>('moves').value]).toEqual([[3], [3]]);
  goTo('two');
  expect([list.value, new HouseholdNote<number>('moves').value]).toEqual([[], []]);
  list.change((ids) => [5, ...ids]);
  expect([list.value, new HouseholdNote<number>('moves').value]).toEqual([[5], [5]]);
});

test('a list of ids stored before households were distinguished is kept', () => {
  notes.set('moves', [4]);
  goTo('one');
  const list = new HouseholdNote<number>('moves');
  expect(list.value).toEqual([4]);
  list.change((ids) => [3, ...ids]);
  expect(list.value).toEqual([3, 4]);
});

test('a picture that did not arrive in one household is sent to no record of the next', async () => {
  const asked: (string | null)[] = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation((input) => {
    asked.push(new Request(input).headers.get(HOUSEHOLD_HEADER));
    const refusal = { code: 'IMAGE_INVALIDE', message: 'Cette image ne se lit pas.' };
    return Promise.resolve(Response.json(refusal, { status: 400 }));
  });
  goTo('one');
  await unsentCovers.add(
    () => Promise.resolve(5),
    new Blob(['image']),
    (id) => ({ record: { kind: 'livres', id }, titre: 'Désert' }),
    new AbortController().signal,
  );
  await expect.poll(() => unsentCovers.all).toHaveLength(1);
  expect(shown()).not.toContain('autre bibliothèque');
  const isOffered = (text: string) => text.includes('Renvoyer');
  expect(isOffered(shown())).toBe(true);
  goTo('two');
  expect(shown()).toContain('autre bibliothèque');
  expect(isOffered(shown())).toBe(false);
  for (const cover of unsentCovers.all) unsentCovers.retry(cover);
  await expect.poll(() => asked).toEqual(['one', 'one']);
  for (const cover of unsentCovers.all) unsentCovers.drop(cover);
});

/** The state of the uploads, as shown. */
function shown(): string {
  const target = document.createElement('div');
  const component = mount(UnsentCovers, { target });
  onTestFinished(() => unmount(component));
  flushSync();
  return target.innerText;
}
