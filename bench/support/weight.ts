import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What files of a checkout's built client weigh on the line, in kB: the build has them as gzip beside themselves. */
export const gzipKilobytes = (paths: readonly string[], folder = '.'): number =>
  paths.reduce((sum, path) => sum + bytesOf(join(folder, 'build/client', `${path}.gz`)), 0) / 1000;

const bytesOf = (file: string): number => readFileSync(file).length;
