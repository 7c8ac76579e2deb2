import { readFileSync, writeFileSync } from 'node:fs';
import { sourceOfRanges } from './support/isbn-ranges.ts';

/**
 * `npm run isbn-ranges -- RangeMessage.xml`: takes the ranges of ISBNs into `shared/isbn-ranges.ts`, from the file that
 * the International ISBN Agency offers on its page « Range message » (isbn-international.org).
 */
const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error('npm run isbn-ranges -- RangeMessage.xml');
  process.exit(1);
}
writeFileSync('shared/isbn-ranges.ts', sourceOfRanges(readFileSync(file, 'utf8')));
