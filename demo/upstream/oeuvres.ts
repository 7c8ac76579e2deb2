import { readFileSync } from 'node:fs';
import type { NoticeJouee } from './notices.ts';

/** Editions that make a bibliography worth looking at; from `oeuvres.txt`, a line each. */
export const OEUVRES: readonly NoticeJouee[] = readFileSync(
  new URL('oeuvres.txt', import.meta.url),
  'utf8',
)
  .split('\n')
  .filter((ligne) => ligne !== '' && !ligne.startsWith('#'))
  .map((ligne, rang) => {
    const [titre = '', date = '', personnes = ''] = ligne.split(' | ');
    const ark = `cb92${String(rang).padStart(7, '0')}`;
    return { ark, titre, date, numeros: [], createurs: personnes.split(' ; ') };
  });
