import { expect, test } from 'vitest';
import { filesOf, projectOf } from '../../scripts/support/chosen-tests.ts';

test('a name alone chooses the file that contains it', () => {
  expect(filesOf([], 'a name alone leads to the file')).toEqual([
    'test/package/chosen-tests.unit.test.ts',
  ]);
});

test.each(['alone', 'cases'])('a name assembled from %s chooses all files of the path', (word) => {
  const all = filesOf(['test/package']);
  expect(all).toContain('test/package/chosen-tests.unit.test.ts');
  expect(filesOf(['./test/package'], `put together from ${word} leads`)).toEqual(all);
});

test.each([
  ['test/isbn/isbn.unit.test.ts', 'unit'],
  ['test/prets/prets.test.ts', 'server'],
  ['test/browser/parity.test.ts', 'browser'],
  ['test/e2e/prets.test.ts', 'e2e'],
])('%s is played by the project %s', (file, project) => {
  expect(projectOf(file)).toBe(project);
});
