import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { recolement } from '$lib/emplacements/recolement.svelte';
import { ScanList } from '$lib/scanner/scan-list.svelte';
import { OURS } from '$lib/sync/this-device';

beforeEach(() => {
  onTestFinished(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
});

interface Seen {
  readonly isSeen: boolean;
}

test('codes scanned before the household is known belong to it afterwards', () => {
  const scans = new ScanList<Seen, Seen>({
    name: 'pile',
    sentenceOf: ({ code }) => code,
    advance: () => undefined,
    isDone: () => false,
    keep: (seen) => seen,
    revive: (seen) => seen,
  });
  const codesIn = (household: string) => {
    scans.resume('alice', household);
    return scans.items.map(({ code }) => code);
  };
  expect(codesIn('')).toEqual([]);
  scans.take('9782070408504', { isSeen: true });
  expect(codesIn('one')).toEqual(['9782070408504']);
  expect(codesIn('two')).toEqual([]);
  expect(codesIn('one')).toEqual(['9782070408504']);
});

test('a tab continues the stocktaking that it showed before the household was known', () => {
  const date = '2026-01-01T00:00:00.000Z';
  const nothing = { present: [], missing: [], lent: [], strangers: [], standing: [] };
  const note = { 3: { date, result: { date, ...nothing } }, 4: { date, result: null } };
  localStorage.setItem(`${OURS}recolement|alice`, JSON.stringify(note));
  sessionStorage.setItem(`${OURS}recolement|alice`, '3');
  recolement.resume('alice', 'one', null);
  expect(recolement.emplacementId).toBe(3);
  recolement.setAside();
  recolement.resume('alice', 'two', null);
  recolement.resume('alice', 'one', null);
  expect(recolement.emplacementId).toBe(4);
});

test('the result of a stocktaking is shown again after its tab was closed, unless another is under way', () => {
  const nothing = { present: [], missing: [], lent: [], strangers: [], standing: [] };
  const ended = (date: string) => ({ date, result: { date, ...nothing } });
  const [first, second] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'] as const;
  const keep = (reader: string, note: object) =>
    localStorage.setItem(`${OURS}recolement|${reader}|one`, JSON.stringify(note));
  keep('anna', { 3: ended(second), 4: ended(first) });
  recolement.resume('anna', 'one', null);
  expect(recolement.emplacementId).toBe(3);
  expect(recolement.result?.date).toBe(second);
  keep('bruno', { 3: ended(second), 4: { date: first, result: null } });
  recolement.resume('bruno', 'one', null);
  expect(recolement.emplacementId).toBe(4);
  expect(recolement.result).toBeNull();
  // A request for another location starts a list there.
  keep('carole', { 3: ended(second) });
  recolement.resume('carole', 'one', 4);
  expect(recolement.emplacementId).toBeNull();
});
