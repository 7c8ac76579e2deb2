import { expect, onTestFinished, test } from 'vitest';
import { splitAddresses } from '../../src/lib/details/addresses.ts';
import { isDescription, isParagraph, isShared, isWrittenLong } from '../../src/lib/details/look.ts';
import {
  DETAILS_FIELD,
  findWrongDetail,
  writeDetails,
} from '../../src/lib/records/livres/details.ts';
import { records } from '$lib/sync/records';
import { Conflict } from '$lib/ui/conflict/conflict.svelte';
import type { Detail } from '#shared/details';

const langue: Detail = { nom: 'Langue', valeur: 'français' };
const prix: Detail = { nom: 'Prix', valeur: '8,50 €' };

/** A form for a book with details, and the details typed into it. */
function opened(before: readonly Detail[], typed: readonly Detail[]) {
  records.setReplica({ epoch: 'before' });
  onTestFinished(() => records.clear());
  let text = writeDetails(typed);
  const entry = {
    fields: [DETAILS_FIELD],
    text: () => text,
    setText: (_key: string, next: string) => void (text = next),
  };
  const conflict = new Conflict(entry, { details: before }, 50, () => undefined);
  return { conflict, sent: () => DETAILS_FIELD.write(text).details };
}

test('each detail that two people wrote is settled by itself', async () => {
  const { conflict, sent } = opened(
    [langue, prix],
    [langue, { ...prix, valeur: '9 €' }, { nom: 'État', valeur: 'bon' }],
  );
  const theirs = [
    { nom: 'langue', valeur: 'anglais' },
    { ...prix, valeur: '7 €' },
    { nom: 'Cote', valeur: 'R 12' },
  ];
  conflict.see({ details: theirs }, 60);
  expect(conflict.differences).toEqual([
    expect.objectContaining({ mine: 'français', theirs: 'anglais', isTouched: false }),
    expect.objectContaining({ label: 'Prix', mine: '9 €', theirs: '7 €', isTouched: true }),
    expect.objectContaining({ label: 'Cote', mine: '', theirs: 'R 12', isTouched: false }),
  ]);
  expect(conflict.isUnsettled).toBe(true);
  const [, both] = conflict.differences;
  conflict.keep(both?.key ?? '');
  expect(conflict.isUnsettled).toBe(false);
  await conflict.send(() => Promise.resolve());
  expect(sent()).toEqual([
    { nom: 'langue', valeur: 'anglais' },
    { nom: 'Prix', valeur: '9 €' },
    { nom: 'État', valeur: 'bon' },
    { nom: 'Cote', valeur: 'R 12' },
  ]);
});

test('a detail that another has taken out goes where it was left alone, and is asked about where it was changed', () => {
  const { conflict, sent } = opened([langue, prix], [langue, { ...prix, valeur: '9 €' }]);
  conflict.see({ details: [] }, 60);
  expect(conflict.differences.map(({ label, isTouched }) => [label, isTouched])).toEqual([
    ['Langue', false],
    ['Prix', true],
  ]);
  conflict.take('details:prix');
  conflict.take('details:langue');
  expect(conflict.hasNews).toBe(false);
  expect(sent()).toEqual([]);
});

test('a row without a value is ignored; a value without a name, and a repeated name, are errors', () => {
  expect(DETAILS_FIELD.write(writeDetails([langue, { nom: 'Cote', valeur: ' ' }]))).toEqual({
    details: [langue],
  });
  expect(findWrongDetail([{ nom: ' ', valeur: 'bon' }])).toMatchObject({ index: 0 });
  expect(findWrongDetail([langue, { nom: 'LANGUE', valeur: 'anglais' }])).toMatchObject({
    index: 1,
  });
  expect(findWrongDetail([langue, { nom: 'langue', valeur: '' }])).toBeUndefined();
});

test('addresses of the web are links, and nothing else is', () => {
  const text = 'Voir https://exemple.fr/a?b=c (ou javascript:alert(1)), puis http://exemple.fr.';
  const parts = splitAddresses(text);
  expect(parts.map((part) => part.text).join('')).toBe(text);
  expect(parts.flatMap(({ address }) => address ?? [])).toEqual([
    'https://exemple.fr/a?b=c',
    'http://exemple.fr',
  ]);
  expect(splitAddresses('javascript:alert(1)')).toEqual([
    { text: 'javascript:alert(1)', address: null },
  ]);
});

test('a long value is a paragraph, a short one shared by many books is a link to them', () => {
  const long = 'x'.repeat(201);
  expect([isParagraph({ nom: 'Langue', valeur: long }), isParagraph(langue)]).toEqual([
    true,
    false,
  ]);
  expect(isParagraph({ nom: 'Langue', valeur: 'a\nb' })).toBe(true);
  expect([isShared(langue), isShared(prix), isShared({ nom: 'x', valeur: long })]).toEqual([
    true,
    false,
    false,
  ]);
  expect(isWrittenLong({ nom: 'résumé', valeur: '' })).toBe(true);
});

test('a description is known by its name in any language and spelling', () => {
  expect(['Résumé', 'RESUME', 'Summary', 'Note'].map((nom) => isDescription({ nom }))).toEqual([
    true,
    true,
    true,
    false,
  ]);
});
