import { writeFileSync } from 'node:fs';
import { exitOnError } from './support/exit-on-error.ts';
import { readFromCaller } from './support/from-caller.ts';
import { sourceOfRanges } from './support/isbn-ranges.ts';

/**
 * `npm run isbn-ranges -- RangeMessage.xml`: writes the ranges of ISBNs into `shared/isbn-ranges.ts`, from the
 * International ISBN Agency's file, offered on its page « Range message » (isbn-international.org).
 */
await exitOnError(() => {
  const [file, ...others] = process.argv.slice(2);
  if (file === undefined || others.length > 0)
    throw new Error('npm run isbn-ranges -- RangeMessage.xml');
  const source = sourceOfRanges(readFromCaller(file).toString());
  writeFileSync('shared/isbn-ranges.ts', source);
  return Promise.resolve();
});
