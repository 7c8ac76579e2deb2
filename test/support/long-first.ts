import { BaseSequencer, type TestSpecification } from 'vitest/node';

const LONG = [
  'couvertures/fetching',
  'database/damaged',
  'database/lock',
  'demo/demo',
  'e2e/accessibility',
  'e2e/form-focus',
  'e2e/large-text',
  'e2e/recherche-camera',
  'e2e/scanner',
  'e2e/series-accessibility',
  'e2e/sign-on',
  'e2e/souhaits-states',
  'e2e/undo',
  'recherche/silence',
  'released/refused',
].map((name) => `/test/${name}.test.ts`);

const isLong = ({ moduleId }: TestSpecification): boolean =>
  LONG.some((path) => moduleId.endsWith(path));

/**
 * Starts the longest files first. Without earlier times Vitest sorts by size, and a core would be idle during the
 * last of these files.
 */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
