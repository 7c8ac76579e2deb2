import { resolve } from 'node:path';

/** From the folder in which npm was called. */
export const fromCaller = (path: string): string => resolve(process.env['INIT_CWD'] ?? '.', path);
