import { afterEach, expect, test } from 'vitest';
import { Draft, draftsElsewhere, readDraft } from '$lib/ui/form/draft.svelte';
import { forgetOrphans, restoreOrphans, orphansOfOthers, nameOrphans } from '$lib/sync/orphans';
import { device, entryPrefix, type EntryKind } from '$lib/sync/this-device';

const { status } = device;
const goTo = (bibliotheque: string) => (device.status = { ...device.status, bibliotheque });

afterEach(() => {
  device.status = status;
  localStorage.clear();
});

const KINDS: readonly EntryKind[] = ['draft', 'scan', 'wish'];
const leave = (kind: EntryKind, reader: string, bibliotheque?: string) =>
  localStorage.setItem(
    `${entryPrefix(kind, reader)}livres/1`,
    JSON.stringify({ date: Date.now(), bibliotheque }),
  );
const elsewhere = (kind: EntryKind, reader: string, shown: string) =>
  orphansOfOthers(kind, reader, shown).length;

test('entries left before any household is known belong to the first one', () => {
  for (const kind of KINDS) {
    leave(kind, 'alice');
    leave(kind, 'bob');
  }
  nameOrphans('alice', 'one');
  nameOrphans('alice', 'two');
  for (const kind of KINDS) {
    expect(elsewhere(kind, 'alice', 'one')).toBe(0);
    expect(elsewhere(kind, 'alice', 'two')).toBe(1);
    expect(elsewhere(kind, 'bob', 'two')).toBe(0);
  }
});

test('discarded entries can be put back', () => {
  leave('scan', 'alice', 'one');
  const left = orphansOfOthers('scan', 'alice', 'two');
  forgetOrphans(left);
  expect(elsewhere('scan', 'alice', 'two')).toBe(0);
  restoreOrphans(left);
  expect(orphansOfOthers('scan', 'alice', 'two')).toEqual(left);
});

test('a draft that was begun before the household was known is shown in no other one', () => {
  let titre = '';
  const entry = {
    fields: [{ key: 'titre', label: () => 'Titre', read: () => titre }],
    text: () => titre,
    setText: (_: string, text: string) => void (titre = text),
  };
  const draft = new Draft('livres/1', () => entry, undefined);
  draft.resume('alice');
  titre = 'Regain';
  draft.keep();
  expect(readDraft('alice', 'livres/1')?.texts).toEqual({ titre: 'Regain' });
  goTo('one');
  nameOrphans('alice', 'one');
  draft.keep();
  titre = 'Colline';
  draft.keep();
  goTo('two');
  expect(readDraft('alice', 'livres/1')).toBeNull();
  expect(draftsElsewhere('alice', 'two')).toHaveLength(1);
  goTo('one');
  expect(readDraft('alice', 'livres/1')?.texts).toEqual({ titre: 'Colline' });
});
