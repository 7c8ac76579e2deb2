import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleOeuvre, cleRegroupement, comparerTextes, normaliser } from '#shared/text';
import { unescape } from '../support/escapes.ts';
import { readVectors } from '../support/vectors.ts';

/** Texts of every script, and titles made of what the rules look at. */
const morceaux = fc.constantFrom(
  ...[
    ' : ',
    ' / ',
    ' (',
    ')',
    ' [',
    ' — ',
    '\u00a0: ',
    'tome 2',
    'T',
    'livre',
    ' ',
    '5',
    'IV',
    '.',
  ],
  ...['Le', 'Été', 'Œuvre', 'ΟΔΟΣ', '한글', '\ufeff', '\u0301', '’', '👍', 'ẞ', 'İ', '1914-1918'],
);
const textes = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.array(morceaux, { maxLength: 12 }).map((parties) => parties.join('')),
);

describe('normaliser', () => {
  it.each(readVectors('normaliser'))('« %s » → « %s »', (texte = '', attendu = '') => {
    expect(normaliser(unescape(texte))).toBe(unescape(attendu));
  });

  it('changes nothing the second time, whatever the character', () => {
    for (let point = 0; point <= 0x10ffff; point++) {
      const une = normaliser(String.fromCodePoint(point));
      if (normaliser(une) !== une) expect.fail(`U+${point.toString(16)}`);
    }
    fc.assert(
      fc.property(textes, (t) => {
        expect(normaliser(normaliser(t))).toBe(normaliser(t));
      }),
    );
  });

  it('leaves letters and digits, words apart by one blank', () => {
    fc.assert(
      fc.property(textes, (t) => {
        expect(normaliser(t)).toMatch(/^([\p{L}\p{N}]+( (?!$))?)*$/u);
      }),
    );
  });

  it('makes no difference between the Unicode forms of one text', () => {
    fc.assert(
      fc.property(textes, (texte) => {
        for (const forme of ['NFC', 'NFD', 'NFKC', 'NFKD'])
          expect(normaliser(texte.normalize(forme))).toBe(normaliser(texte));
      }),
    );
  });

  it('treats ASCII like everything else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (texte) => {
        expect(normaliser(`${texte} é`)).toBe(`${normaliser(texte)} e`.trim());
      }),
    );
  });
});

describe('cleOeuvre', () => {
  it.each(readVectors('cles-oeuvre'))('« %s » ← « %s »', (cle, titre = '') => {
    expect(cleOeuvre(unescape(titre))).toBe(cle);
  });

  it('is a prefix of the normalised title that ends at a word boundary', () => {
    fc.assert(
      fc.property(textes, (titre) => {
        const cle = cleOeuvre(titre);
        const normalise = normaliser(titre);
        expect(`${normalise} `.startsWith(`${cle} `) || cle === normalise).toBe(true);
        expect(cle === '').toBe(normalise === '');
      }),
    );
  });

  it('is its own key', () => {
    fc.assert(
      fc.property(textes, (t) => {
        expect(cleOeuvre(cleOeuvre(t))).toBe(cleOeuvre(t));
      }),
    );
  });
});

describe('cleRegroupement', () => {
  const mots = fc.array(
    textes.filter((texte) => normaliser(texte) !== ''),
    { minLength: 1 },
  );

  it('does not mind the order of the words', () => {
    fc.assert(
      fc.property(mots, fc.infiniteStream(fc.nat()), (noms, hasard) => {
        const autres = noms.toSorted(() => ((hasard.next().value ?? 0) % 3) - 1);
        expect(cleRegroupement(autres.join(', '))).toBe(cleRegroupement(noms.join(' ')));
      }),
    );
    expect(cleRegroupement('Hugo, Victor')).toBe('hugo victor');
    expect(cleRegroupement('VICTOR HUGO')).toBe('hugo victor');
  });

  it('is its own key', () => {
    fc.assert(
      fc.property(textes, (nom) => {
        expect(cleRegroupement(cleRegroupement(nom))).toBe(cleRegroupement(nom));
      }),
    );
  });

  it('lets a name without a letter or a digit stand for itself', () => {
    expect(cleRegroupement(' ?? ')).toBe('??');
    expect(cleRegroupement('👍')).not.toBe(cleRegroupement('👎'));
  });
});

describe('comparerTextes', () => {
  const parPoints = (a: string, b: string): number => {
    const [x, y] = [Array.from(a), Array.from(b)].map((t) => t.map((c) => c.codePointAt(0) ?? 0));
    if (x === undefined || y === undefined) throw new Error('two texts give two lists');
    for (const [i, point] of x.entries()) {
      const autre = y[i];
      if (autre === undefined) return 1;
      if (point !== autre) return point - autre;
    }
    return x.length - y.length;
  };
  const proches = fc.string({
    unit: fc.constantFrom('a', 'b', '\ufffd', '\ue000', '𝔐', '🐈', '𠀀'),
  });
  const biens = fc.oneof(
    proches,
    textes.map((texte) => texte.toWellFormed()),
  );

  it('orders as the arrays of code points are ordered', () => {
    fc.assert(
      fc.property(biens, biens, (a, b) => {
        expect(Math.sign(comparerTextes(a, b))).toBe(Math.sign(parPoints(a, b)));
      }),
    );
    expect(comparerTextes('\uffee', '𝔐')).toBeLessThan(0);
  });

  it('is total: one order for any three texts', () => {
    fc.assert(
      fc.property(biens, biens, biens, (a, b, c) => {
        expect(comparerTextes(a, b) === 0).toBe(a === b);
        expect(Math.sign(comparerTextes(a, b)) + Math.sign(comparerTextes(b, a))).toBe(0);
        const [x = '', y = '', z = ''] = [a, b, c].sort(comparerTextes);
        expect(comparerTextes(x, y) <= 0 && comparerTextes(y, z) <= 0).toBe(true);
        expect(comparerTextes(x, z)).toBeLessThanOrEqual(0);
      }),
    );
  });
});
