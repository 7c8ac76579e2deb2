import { resolve } from 'node:path';

/** Resolves a path of the command line from the folder in which npm was called. */
export const fromCaller = (path: string): string => resolve(process.env['INIT_CWD'] ?? '.', path);
