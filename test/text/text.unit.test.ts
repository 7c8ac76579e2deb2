import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { formatLongDay } from '#shared/long-day';
import {
  beginningOf,
  articleInFront,
  cleOeuvre,
  cleRegroupement,
  compareText,
  firstCharacters,
  formatCount,
  halfWidth,
  isLongerThan,
  nfc,
  normaliser,
  oneLine,
  partsOf,
  searchForm,
  shortened,
  storedLine,
  textKey,
  titreKey,
  wordMatcher,
} from '#shared/text';
import { anyCharacter } from '../support/any-character.ts';
import { unescape } from '../support/escapes.ts';
import { readVectors } from '../support/vectors.ts';
import { cases } from '../support/random.ts';

/** Texts of every script, and titles with the elements that the rules handle. */
const pieces = fc.constantFrom(
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
const texts = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 30, size: 'max' }),
  fc.string({ unit: 'grapheme', maxLength: 30, size: 'max' }),
  fc.array(pieces, { maxLength: 12, size: 'max' }).map((parts) => parts.join('')),
);

describe('normaliser', () => {
  it.each(readVectors('normaliser'))('« %s » → « %s »', (text = '', expected = '') => {
    expect(normaliser(unescape(text))).toBe(unescape(expected));
  });

  it('changes nothing the second time, for any character', { tags: 'large' }, () => {
    const changed: string[] = [];
    for (let point = 0; point <= 0x10ffff; point++) {
      const une = normaliser(String.fromCodePoint(point));
      if (normaliser(une) !== une) changed.push(`U+${point.toString(16)}`);
    }
    expect(changed).toEqual([]);
    fc.assert(
      fc.property(texts, (t) => {
        expect(normaliser(normaliser(t))).toBe(normaliser(t));
      }),
      cases(),
    );
  });

  it('leaves letters and digits, words apart by one blank', () => {
    fc.assert(
      fc.property(texts, (t) => {
        expect(normaliser(t)).toMatch(/^([\p{L}\p{N}]+( (?!$))?)*$/u);
      }),
      cases(),
    );
  });

  it('makes no difference between the Unicode forms of one text', () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const forme of ['NFC', 'NFD', 'NFKC', 'NFKD'])
          expect(normaliser(text.normalize(forme))).toBe(normaliser(text));
      }),
      cases(),
    );
  });

  it('treats ASCII like everything else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
        expect(normaliser(`${text} é`)).toBe(`${normaliser(text)} e`.trim());
      }),
      cases(),
    );
  });
});

test('an overlong run of marks is cut once for all', () => {
  const marks = (count: number) => '\u0316'.repeat(count);
  expect(nfc(`a${marks(30)}b`)).toBe(`a${marks(30)}b`);
  const cut = `a${marks(30)}\u034F${marks(10)}`;
  expect(nfc(`a${marks(40)}`)).toBe(cut);
  expect(nfc(cut)).toBe(cut);
});

describe('searchForm', () => {
  it.each([
    ['Đất rừng phương Nam', 'dat rung phuong nam'],
    ['Łódź, Ørsted, Ðuro', 'lodz orsted duro'],
    ['Diyarbakır Þórbergur Ħal Məmməd', 'diyarbakir thorbergur hal memmed'],
    ['Œuvre', 'oeuvre'],
  ])('« %s » is « %s »', (text, form) => {
    expect(searchForm(text)).toBe(form);
    expect(searchForm(form)).toBe(form);
  });

  it('is the base of the keys', () => {
    expect(cleOeuvre('Đất rừng : truyện')).toBe('dat rung');
    expect(cleRegroupement('Đoàn Giỏi')).toBe(cleRegroupement('Giỏi, DOAN'));
    expect(textKey('Thể loại Đen')).toBe('the loai den');
  });
});

test.each([
  ['Petit Quai (Le)', 'Le Petit Quai'],
  ['Petit Quai, Le', 'Le Petit Quai'],
  ['Petit Quai,le', 'Le Petit Quai'],
  ['petit quai [ le ]', 'le petit quai'],
  ['PETIT QUAI (LE)', 'LE PETIT QUAI'],
  ['Étranger (L’)', 'L’Étranger'],
  ["Étranger, l'", "L'Étranger"],
  ['Été indien (Un)', 'Un Été indien'],
  ['Great Quay, The', 'The Great Quay'],
  ['Petit Quai (Le) : roman', 'Le Petit Quai : roman'],
  ['Petit Quai, Le / Hugo Ferrand', 'Le Petit Quai / Hugo Ferrand'],
  ['Petit Quai, Le (poche)', 'Le Petit Quai (poche)'],
  ['Schtroumpfs (Les), tome 3', 'Les Schtroumpfs, tome 3'],
  ['Schtroumpfs (Les) T3', 'Les Schtroumpfs T3'],
  ['Schtroumpfs, Les, tome 3', 'Les Schtroumpfs, tome 3'],
])('« %s » reads as « %s »', (titre, read) => {
  expect(articleInFront(titre)).toBe(read);
  expect(articleInFront(read)).toBe(read);
  expect(cleOeuvre(titre)).toBe(cleOeuvre(read));
});

test.each([
  'Le Petit Quai',
  'Le (la) lecteur',
  'Do, ré, mi, fa, sol, la, si',
  'Qui, la nuit',
  'Petit Quai (Leo)',
  '(Le)',
  ', Le',
  'Ma vie, mes amours (journal)',
  'Toi et le',
])('« %s » has no article at its end', (titre) => {
  expect(articleInFront(titre)).toBe(titre);
});

test.each([', le', ' (le', ' ', '[le]', ',le '])('a text of many %j is read at once', (part) => {
  const begin = performance.now();
  articleInFront(`a${part.repeat(10_000)}x`);
  expect(performance.now() - begin).toBeLessThan(500);
});

describe('cleOeuvre', () => {
  it.each(readVectors('cle-oeuvre'))('« %s » ← « %s »', (cle, titre = '') => {
    expect(cleOeuvre(unescape(titre))).toBe(cle);
  });

  it('is the beginning of the title as it is searched, in whole words', () => {
    fc.assert(
      fc.property(texts, (titre) => {
        const cle = cleOeuvre(titre);
        const normalise = searchForm(articleInFront(titre));
        expect(`${normalise} `.startsWith(`${cle} `) || cle === normalise).toBe(true);
        expect(cle === '').toBe(normalise === '');
      }),
      cases(),
    );
  });

  it('is its own key', () => {
    fc.assert(
      fc.property(texts, (t) => {
        expect(cleOeuvre(cleOeuvre(t))).toBe(cleOeuvre(t));
      }),
      cases(),
    );
  });
});

describe('cleRegroupement', () => {
  const words = fc.array(
    texts.filter((text) => normaliser(text) !== ''),
    { minLength: 1 },
  );

  it('does not mind the order of the words', () => {
    fc.assert(
      fc.property(words, fc.infiniteStream(fc.nat()), (noms, random) => {
        const others = noms.toSorted(() => ((random.next().value ?? 0) % 3) - 1);
        expect(cleRegroupement(others.join(', '))).toBe(cleRegroupement(noms.join(' ')));
      }),
      cases(),
    );
    expect(cleRegroupement('Hugo, Victor')).toBe('hugo victor');
    expect(cleRegroupement('VICTOR HUGO')).toBe('hugo victor');
  });

  it('is its own key', () => {
    fc.assert(
      fc.property(texts, (nom) => {
        expect(cleRegroupement(cleRegroupement(nom))).toBe(cleRegroupement(nom));
      }),
      cases(),
    );
  });

  it('keeps a name of signs as its own key', () => {
    expect(cleRegroupement(' ?? ')).toBe('??');
    expect(cleRegroupement('👍')).not.toBe(cleRegroupement('👎'));
  });
});

describe('compareText', () => {
  const byCodePoint = (a: string, b: string): number => {
    const [x, y] = [Array.from(a), Array.from(b)].map((t) => t.map((c) => c.codePointAt(0) ?? 0));
    if (x === undefined || y === undefined) throw new Error('two texts give two lists');
    for (const [i, point] of x.entries()) {
      const other = y[i];
      if (other === undefined) return 1;
      if (point !== other) return point - other;
    }
    return x.length - y.length;
  };
  const similar = fc.string({
    unit: fc.constantFrom('a', 'b', '\ufffd', '\ue000', '𝔐', '🐈', '𠀀'),
  });
  const wellFormed = fc.oneof(
    similar,
    texts.map((text) => text.toWellFormed()),
  );

  it('orders as the arrays of code points are ordered', () => {
    fc.assert(
      fc.property(wellFormed, wellFormed, (a, b) => {
        expect(Math.sign(compareText(a, b))).toBe(Math.sign(byCodePoint(a, b)));
      }),
      cases(),
    );
    expect(compareText('\uffee', '𝔐')).toBeLessThan(0);
    // The first and the last of the surrogates.
    expect(compareText('\uffee', '\u{10000}')).toBeLessThan(0);
    expect(compareText('\u{103fe}', '\u{103ff}')).toBeLessThan(0);
  });

  it('is total: one order for any three texts', () => {
    fc.assert(
      fc.property(wellFormed, wellFormed, wellFormed, (a, b, c) => {
        expect(compareText(a, b) === 0).toBe(a === b);
        expect(Math.sign(compareText(a, b)) + Math.sign(compareText(b, a))).toBe(0);
        const [x = '', y = '', z = ''] = [a, b, c].sort(compareText);
        expect(compareText(x, y) <= 0 && compareText(y, z) <= 0).toBe(true);
        expect(compareText(x, z)).toBeLessThanOrEqual(0);
      }),
      cases(),
    );
  });
});

describe('wordMatcher', () => {
  it('finds every word anywhere in a text, in any order', () => {
    const matches = wordMatcher('PRINCE petit!');
    expect(matches(normaliser('Le Petit Prince'))).toBe(true);
    expect(matches(normaliser('Les Petits Princes'))).toBe(true);
    expect(matches(normaliser('Le Prince'))).toBe(false);
    expect(matches('ptit prnce ie')).toBe(false);
  });

  it('finds letters with a stroke by plain ones, and the other way round', () => {
    expect(wordMatcher('dat rung')(normaliser('Đất rừng phương Nam'))).toBe(true);
    expect(wordMatcher('ĐẤT')(normaliser('Dat rung'))).toBe(true);
  });

  it('finds everything for a search of signs only', () => {
    expect(wordMatcher(' … ')('dune')).toBe(true);
  });
});

test.each([
  ['Sido', 4, 'Sido'],
  ['Sido, suite', 6, 'Sido,…'],
  ['Sido suite', 6, 'Sido…'],
  ['Sido📚', 6, 'Sido📚'],
  ['Sido📚!', 6, 'Sido…'],
  ['📚📚', 2, '…'],
])('%j within %i units is %j', (text, most, expected) => {
  expect(shortened(text, most)).toBe(expected);
});

test.each([
  ['Les Vagues', 'Les Vagues'],
  ['Les\u00a0 Vagues', 'Les\u00a0 Vagues'],
  ['Les \r\n\t Vagues', 'Les Vagues'],
  ['Les\u2028Vagues\u0000', 'Les Vagues '],
])('a text in one line: %j → %j', (text, expected) => {
  expect(oneLine(text)).toBe(expected);
  expect(storedLine(` ${text}\n`)).toBe(expected.trim());
});

test('full-width characters are converted to ASCII', () => {
  expect(halfWidth('第１２巻：（＃３）Ａ')).toBe('第12巻:(#3)Ａ');
});

test.each([
  ['Sido : roman', 'sido'],
  ['！？', '！？'],
])('the key of the title « %s » is « %s »', (titre, key) => {
  expect(titreKey(titre)).toBe(key);
});

test('parts of a text are trimmed, and empty ones left out', () => {
  expect(partsOf(' Mer ,, Ciel\t, ', ',')).toEqual(['Mer', 'Ciel']);
});

// « 👍 » is one character of two UTF-16 units.
test.each([
  { text: 'abc', most: 3, isLonger: false, first: 'abc' },
  { text: 'abcd', most: 3, isLonger: true, first: 'abc' },
  { text: '👍👍👍', most: 3, isLonger: false, first: '👍👍👍' },
  { text: '👍👍👍👍', most: 3, isLonger: true, first: '👍👍👍' },
  { text: 'a👍bc', most: 3, isLonger: true, first: 'a👍b' },
  { text: 'abcdefg', most: 3, isLonger: true, first: 'abc' },
  { text: '👍👍👍a', most: 3, isLonger: true, first: '👍👍👍' },
  { text: '', most: 0, isLonger: false, first: '' },
])('« $text » has more than $most characters: $isLonger', ({ text, most, isLonger, first }) => {
  expect(isLongerThan(text, most)).toBe(isLonger);
  expect(firstCharacters(text, most)).toBe(first);
});

test('the beginning of a text leaves out a character whole', () => {
  expect(beginningOf('👍👍', 3)).toBe('👍');
  expect(beginningOf('👍👍a', 4)).toBe('👍👍');
  // A lone surrogate in the middle is not cut.
  expect(beginningOf('\ud83da', 2)).toBe('\ud83da');
});

test('counts and days are formatted in French', () => {
  expect(formatCount(9586)).toBe('9\u202f586');
  expect(formatLongDay(new Date(2026, 2, 1))).toBe('1er mars 2026');
  expect(formatLongDay(new Date(2026, 2, 11))).toBe('11 mars 2026');
});
