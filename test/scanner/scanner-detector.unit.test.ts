import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atLeastOne } from '../support/at-least-one.ts';
import { ScannerDetector, plainKey, scannedKey } from '../../src/lib/frame/scanner-detector.ts';
import { ean13CheckDigit } from '#shared/codes';
import { cases } from '../support/random.ts';

const digits = (count: number) =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: count, maxLength: count })
    .map((all) => all.join(''));

/** A code as scanners type it, and its normal form. */
const codes = fc.oneof(
  fc.integer({ min: 10, max: 13 }).chain(digits),
  digits(9).map((nine) => `${nine}X`),
  fc
    .tuple(fc.constantFrom('977', '978', '979'), digits(10), fc.constantFrom(2, 5))
    .chain(([prefix, ten, count]) => digits(count).map((addOn) => prefix + ten + addOn)),
);

/** A scanner's pause before a key: a few milliseconds, more while the machine is busy. */
const scannerGap = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 0, max: 40 }) },
  { weight: 1, arbitrary: fc.integer({ min: 40, max: 50 }) },
);

/** A person's pauses: two keys may be almost simultaneous, but not several pairs in a row. */
const humanGaps = (count: number) =>
  fc
    .array(fc.tuple(fc.integer({ min: 10, max: 60 }), fc.integer({ min: 180, max: 600 })), {
      minLength: Math.ceil(count / 2),
      maxLength: Math.ceil(count / 2),
    })
    .map((pairs) => pairs.flat().slice(0, count));

/** The codes detected in keys with these pauses. */
function play(
  detector: ScannerDetector,
  keys: readonly string[],
  gaps: readonly number[],
  startMs = 5_000,
) {
  let timeMs = startMs;
  const found = keys.flatMap((key, i) => {
    timeMs += gaps[i] ?? 0;
    return detector.add(key, timeMs) ?? [];
  });
  return { found, timeMs };
}

const keysOf = (text: string, after: readonly string[] = ['Enter']) => [
  ...text.split(''),
  ...after,
];

const expected = (code: string) =>
  /^97[89]/.test(code) && code.length > 13 ? code.slice(0, 13) : code;

describe('a run of keys', () => {
  test('of a scanner is its code despite jitter and typing', () => {
    const property = fc.property(
      codes,
      fc.array(scannerGap, { minLength: 19, maxLength: 19 }),
      fc.array(fc.constantFrom('a', '7', 'Enter', 'Shift', 'Backspace'), { maxLength: 5 }),
      (code, gaps, before) => {
        const detector = new ScannerDetector();
        const { timeMs } = play(detector, before, Array<number>(5).fill(30));
        const { found } = play(detector, keysOf(code), gaps, timeMs + 1_001);
        expect(found).toEqual([expected(code)]);
      },
    );
    fc.assert(property, cases(500));
  });

  test('right after another makes two codes', () => {
    const property = fc.property(codes, codes, (one, two) => {
      const keys = [...keysOf(one), ...keysOf(two)];
      const { found } = play(new ScannerDetector(), keys, Array<number>(keys.length).fill(4));
      expect(found).toEqual([expected(one), expected(two)]);
    });
    fc.assert(property, cases(200));
  });

  test('typed by fingers is never a code', () => {
    const property = fc.property(
      codes.chain((code) => fc.tuple(fc.constant(code), humanGaps(code.length + 1))),
      ([code, gaps]) => {
        expect(play(new ScannerDetector(), keysOf(code), gaps).found).toEqual([]);
      },
    );
    fc.assert(property, cases(500));
  });

  test.each([10, 20, 40, 60, 80, 120, 180])('of a valid code is read at %i ms each', (gap) => {
    const property = fc.property(
      digits(9),
      fc.array(fc.double({ min: -0.2, max: 0.2, noNaN: true }), { minLength: 14, maxLength: 14 }),
      fc.constantFrom('Enter', 'Tab'),
      (nine, jitter, suffix) => {
        const code = `978${nine}${ean13CheckDigit(`978${nine}`)}`;
        const gaps = jitter.map((part, i) => (i === 0 ? 2_000 : gap * (1 + part)));
        expect(play(new ScannerDetector(), keysOf(code, [suffix]), gaps).found).toEqual([code]);
        // A single key typed before the code does not affect it.
        const strayed = play(new ScannerDetector(), keysOf(`7${code}`, [suffix]), [...gaps, gap]);
        expect(strayed.found).toEqual([code]);
      },
    );
    fc.assert(property, cases(50));
  });

  test('of a code’s length is a code outside text fields', () => {
    const detector = new ScannerDetector();
    const keys = keysOf('9782070360025');
    const times = keys.map((_key, i) => 5_000 + i * (i % 3 === 0 ? 320 : 300));
    const found = keys.map((key, i) => detector.add(key, times[i] ?? 0, key, false));
    expect(found.at(-1)).toBe('9782070360025');
  });

  test.each([
    ['too short', '978201234'],
    ['too long', '97820123456781'],
    ['with a letter', '97820a2345678'],
    ['with an X in its midst', '01234X6789'],
  ])('%s is no code', (_what, text) => {
    expect(play(new ScannerDetector(), keysOf(text), Array<number>(20).fill(5)).found).toEqual([]);
  });

  test.each([4, 30, 90, 180])('at %i ms each needs no Enter', (gap) => {
    const detector = new ScannerDetector();
    const { found, timeMs } = play(
      detector,
      keysOf('9782070360024', []),
      Array<number>(13).fill(gap),
    );
    expect(found).toEqual([]);
    expect(detector.finish(timeMs + 100)).toBeNull();
    expect(detector.finish(timeMs + 300)).toBe('9782070360024');
    expect(detector.finish(timeMs + 400)).toBeNull();
  });

  test('has one Enter come late, the next is a person’s', () => {
    const detector = new ScannerDetector();
    const { timeMs } = play(detector, keysOf('9782070360024', []), Array<number>(13).fill(8));
    expect(detector.isLateEnd('Enter', timeMs + 100)).toBe(false);
    detector.finish(timeMs + 300);
    expect(detector.isLateEnd('1', timeMs + 310)).toBe(false);
    expect(detector.isLateEnd('Enter', timeMs + 320)).toBe(true);
    expect(detector.isLateEnd('Enter', timeMs + 340)).toBe(false);
  });

  test('has no Enter long after it', () => {
    const detector = new ScannerDetector();
    const { timeMs } = play(detector, keysOf('9782070360024', []), Array<number>(13).fill(8));
    detector.finish(timeMs + 300);
    expect(detector.isLateEnd('Enter', timeMs + 900)).toBe(false);
  });

  test('without Enter is no code if typed by fingers, invalid or short', () => {
    const settled = (code: string, gaps: readonly number[]) => {
      const detector = new ScannerDetector();
      return detector.finish(play(detector, keysOf(code, []), gaps).timeMs + 300);
    };
    const even = Array<number>(13).fill(20);
    expect(settled('9782070360025', even)).toBeNull();
    expect(settled('2070360026', even)).toBeNull();
    const property = fc.property(humanGaps(13), (gaps) => {
      expect(settled('9782070360024', gaps)).toBeNull();
    });
    fc.assert(property, cases(300));
  });

  test('interrupted by a pause is no code', () => {
    const gaps = [5, 5, 700, ...Array<number>(11).fill(5)];
    expect(play(new ScannerDetector(), keysOf('9782070360024'), gaps).found).toEqual([]);
  });

  test('is none where one of its keys stood alone', () => {
    const gaps = [400, 400, ...Array<number>(12).fill(5)];
    const detector = new ScannerDetector();
    expect(detector.add('9', 5_000)).toBeNull();
    expect(detector.isAlone(5_100)).toBe(false);
    expect(detector.isAlone(5_300)).toBe(true);
    expect(play(detector, keysOf('782070360024'), gaps.slice(1)).found).toEqual([]);
  });

  test.each([5, 40, 250])('has no key standing alone, at %i ms a key', (gap) => {
    const detector = new ScannerDetector();
    for (const [index, key] of atLeastOne(keysOf('9782070360024', [])).entries()) {
      expect(detector.isAlone(5_000 + index * gap), key).toBe(false);
      detector.add(key, 5_000 + index * gap);
    }
    expect(detector.isAlone(6_000 + 13 * gap)).toBe(false);
  });

  test('keeps its capital X although Shift comes with it', () => {
    const keys = keysOf('080442957', ['Shift', 'X', 'Enter']);
    expect(play(new ScannerDetector(), keys, Array<number>(12).fill(5)).found).toEqual([
      '080442957X',
    ]);
  });

  test('starts where its first key is', () => {
    const detector = new ScannerDetector();
    detector.add('t', 4_990);
    expect(detector).toMatchObject({ isIdle: true, isStart: false });
    detector.add('9', 5_000);
    expect(detector).toMatchObject({ isIdle: false, isStart: true });
    detector.add('7', 5_010);
    expect(detector).toMatchObject({ isIdle: false, isStart: false });
  });
});

/** A scanner's key, by its character on a US keyboard. */
interface Key {
  readonly key: string;
  readonly code: string;
}

const LABEL = 'https://ma-maison.local:3000/biblio/rangement/12';

/** The characters of a French keyboard, by those of a US keyboard. */
const FRENCH: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from('aqzwm:/.-0123456789').map((plain, i) => [plain, 'qawz,M!;)à&é"\'(-è_ç'.charAt(i)]),
);
const CODES: Readonly<Record<string, string>> = {
  ':': 'Semicolon',
  '/': 'Slash',
  '.': 'Period',
  '-': 'Minus',
  '#': 'Digit3',
};

/** The keys that a scanner presses for a text: it assumes a US keyboard. */
function pressesOf(text: string, keyboard: Readonly<Record<string, string>> = {}): Key[] {
  return Array.from(text).map((char) => ({
    key: keyboard[char] ?? char,
    code: CODES[char] ?? (/\d/.test(char) ? `Digit${char}` : `Key${char.toUpperCase()}`),
  }));
}

/** The detected codes of these keys and Enter, and the keys that were not passed on as shortcuts. */
function press(
  presses: readonly Key[],
  gapMs: number,
  detector = new ScannerDetector(),
  startMs = 5_000,
) {
  const isWithheld = presses.map((key, i) => {
    detector.add(scannedKey(key), startMs + i * gapMs, plainKey(key));
    return detector.isAddress;
  });
  return { held: isWithheld, scan: detector.add('Enter', startMs + presses.length * gapMs) };
}

describe('the address of a label', () => {
  test.each([
    ['as it is', {}, LABEL],
    ['on a French keyboard', FRENCH, LABEL],
    ['with the capitals locked', {}, LABEL.toUpperCase()],
  ])('%s is its location', (_how, keyboard, text) => {
    const { scan } = press(pressesOf(text, keyboard), 20);
    expect(scan?.toLowerCase()).toBe(LABEL);
  });

  test('begins with its first character, despite digits in it', () => {
    const detector = new ScannerDetector();
    const starts = pressesOf('http://192.168.1.4/rangement/3', FRENCH).map((key, i) => {
      detector.add(scannedKey(key), 5_000 + i * 10, plainKey(key));
      return detector.isStart;
    });
    expect(starts.indexOf(true)).toBe(0);
    expect(starts.lastIndexOf(true)).toBe(0);
  });

  test('is no shortcut after four characters, unless typed by hand', () => {
    expect(press(pressesOf(LABEL), 10).held.indexOf(false, 3)).toBe(-1);
    expect(press(pressesOf(LABEL), 250)).toEqual({
      held: Array.from(LABEL, () => false),
      scan: null,
    });
  });

  test.each([
    'https://livres.maison/livres/12',
    'https://livres.maison/rangement/12/modifier',
    'http://',
  ])('%s is no code', (text) => {
    expect(press(pressesOf(text), 10).scan).toBeNull();
  });

  test('and a code, at once, are both', () => {
    const detector = new ScannerDetector();
    expect(press(pressesOf(LABEL), 5, detector).scan).toBe(LABEL);
    expect(press(pressesOf('9782070360024'), 5, detector, 6_000).scan).toBe('9782070360024');
    expect(press(pressesOf(LABEL, FRENCH), 5, detector, 7_000).scan).toBe(LABEL);
  });

  test('is none where a key of it has a name', () => {
    const detector = new ScannerDetector();
    press([...pressesOf('http://a'), { key: 'Tab', code: 'Tab' }], 5, detector);
    const keys = [...pressesOf('http://a'), { key: 'Tab', code: 'Tab' }];
    expect(press([...keys, ...pressesOf('/rangement/12')], 5, detector, 7_000).scan).toBeNull();
  });
});

describe('a key of a scanner', () => {
  test('is its digit on a French keyboard too', () => {
    expect(scannedKey({ key: 'ç', code: 'Digit9' })).toBe('9');
    expect(scannedKey({ key: '9', code: 'Digit9' })).toBe('9');
    expect(scannedKey({ key: '9', code: 'Numpad9' })).toBe('9');
    expect(scannedKey({ key: 'Enter', code: 'NumpadEnter' })).toBe('Enter');
    expect(scannedKey({ key: 'X', code: 'KeyX' })).toBe('X');
  });
});
