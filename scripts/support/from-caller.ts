import { resolve } from 'node:path';

/** A path of the command line: from the folder that npm was called in, not the one that it runs in. */
export const fromCaller = (path: string): string => resolve(process.env['INIT_CWD'] ?? '.', path);
