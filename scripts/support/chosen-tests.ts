import { globSync, readFileSync } from 'node:fs';

/**
 * The test files whose paths contain a part of `filter`; if any of them contain the name, only those. A title with
 * placeholders is in no file literally.
 *
 * @param name a regular expression, as for `-t`
 */
export function filesOf(filter: readonly string[], name = ''): string[] {
  const files = globSync('test/**/*.test.ts').filter(
    (file) =>
      filter.length === 0 || filter.some((part) => file.includes(part.replace(/^\.\//, ''))),
  );
  const pattern = new RegExp(name);
  const naming = files.filter((file) => pattern.test(readFileSync(file, 'utf8')));
  return naming.length > 0 ? naming : files;
}

/** The project of `vitest.config.ts` that plays a test file. */
export function projectOf(file: string): string {
  const [folder] = /(?<=^test\/)(?:browser|e2e)(?=\/)/.exec(file) ?? [];
  return folder ?? (file.endsWith('.unit.test.ts') ? 'unit' : 'server');
}
