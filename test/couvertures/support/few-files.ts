// A process with a low limit of open files: decodes a picture while fewer and fewer are left, and prints the results.
import { closeSync, openSync } from 'node:fs';
import { Decoder } from '#server/subjects/couvertures/decoder';
import { isRefusal } from '#server/plumbing/common/error-body';
import { picture } from './pictures.ts';

const decoder = new Decoder();
const content = await picture('#336699');

async function outcome(): Promise<string> {
  try {
    return (await decoder.make('fromPerson', content)).type;
  } catch (error) {
    return isRefusal(error) ? error.code : String(error);
  }
}

function takeAllFiles(): number[] {
  const files: number[] = [];
  try {
    for (;;) files.push(openSync('/dev/null', 'r'));
  } catch {
    return files;
  }
}

for (let left = 0; left < 6; left++) {
  const files = takeAllFiles();
  for (const file of files.splice(0, left)) closeSync(file);
  process.stdout.write(`${await outcome()}\n`);
  for (const file of files) closeSync(file);
}
process.stdout.write(`${await outcome()}\n`);

process.exit(0);
