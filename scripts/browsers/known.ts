/** What a scenario asks for that Firefox does not do, as a row of the table of `docs/browsers.md`. */
interface Lack {
  readonly file: string;
  readonly title: string;
  readonly row: string;
}

/** The scenarios that fail in Firefox for what it cannot do; every other failure is one. */
export const KNOWN: readonly Lack[] = [
  {
    file: 'test/e2e/reglages.test.ts',
    title: 'a theme that is chosen goes before that of the device, until it is given up',
    row: 'being told of the theme and of less motion by the test',
  },
];
