import { describe, expect, it } from 'vitest';
import type { Numero } from '#shared/numeros';
import { matchingLine } from '../../src/lib/revues/matching-line.ts';

const NUMERO: Numero = {
  id: 1,
  revueId: 1,
  numero: '560',
  date: null,
  coverUrl: null,
  couverture: null,
  une: 'Les volcans\nPluton, la déchue',
  resume: 'Rien de neuf. Les poulpes rêvent en couleur !',
  themes: ['Climat', 'Mer'],
  articles: ['L’œil du poulpe', 'Mars, et après'],
};

/** The matching line, with its matches in brackets. */
const shown = (recherche: string, numero = NUMERO) =>
  matchingLine(numero, recherche)
    ?.map(({ text, isMatch }) => (isMatch ? `[${text}]` : text))
    .join('') ?? null;

describe('matchingLine', () => {
  it.each([
    ['VOLCAN', 'Les [volcans]'],
    ['oeil', 'L’[œil] du poulpe'],
    ['climat', '[Climat], Mer'],
    ['couleur', 'Les poulpes rêvent en [couleur] !'],
    ['mars apres', '[Mars], et [après]'],
    ['poulpe couleur', 'Les [poulpes] rêvent en [couleur] !'],
    ['science', null],
    ['', null],
  ])('for « %s » is « %s »', (recherche, line) => {
    expect(shown(recherche)).toBe(line);
  });

  it('begins a long line shortly before the match', () => {
    const une = `${'Des mots et encore des mots, '.repeat(8)}puis un volcan, et la fin.`;
    const line = shown('volcan', { ...NUMERO, une });
    expect(line).toMatch(/^… .{10,40}\[volcan\], et la fin\.$/u);
  });
});
