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
  'released/upgrade',
].map((name) => `/test/${name}.test.ts`);

const isLong = ({ moduleId }: TestSpecification): boolean =>
  LONG.some((path) => moduleId.endsWith(path));

/** Without earlier times Vitest goes by size, and would wait for the last of these while a core is idle. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
