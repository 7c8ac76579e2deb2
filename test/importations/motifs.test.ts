import { describe, expect, test } from 'vitest';
import { isRefusal } from '#server/plumbing/common/error-body';
import { openFile } from '#server/subjects/importations/sniff';
import { random, runs, SEED } from '../support/random.ts';

// A megabyte of two characters of a format, repeated. A quadratic reader takes many minutes and fails the test; a
// linear one a tenth of a second. Limits on cells, rows and columns are refusals with a message.

const LENGTH = 1_000_000;

interface Motifs {
  readonly head: string;
  readonly signs: string;
  readonly tail: string;
}

const XML = '<?xml version="1.0"?>';
const MARC = '<collection xmlns="http://www.loc.gov/MARC21/slim"><record>';

const FORMATS: Readonly<Record<string, Motifs>> = {
  'a text': { head: '', signs: ' \na:;,"(<[{@-9\t|–', tail: '' },
  'a table': { head: 'Titre,Auteur,ISBN\n', signs: '", a1-(:/.', tail: '\n' },
  'a cell': { head: 'Titre,Auteur,Série,Pages\n"', signs: ' a1-(),:/.\n#', tail: '",A,B,1\n' },
  'an author': { head: 'Auteur,Titre,Série\n"', signs: ' a1-(),:/.\n;&', tail: '",A,B\n' },
  RIS: { head: 'TY  - BOOK\n', signs: '\n -TYA1:', tail: '\nER  - \n' },
  'a value of RIS': { head: 'TY  - BOOK\nTI  - ', signs: ' -,A1:(', tail: '\nER  - \n' },
  BibTeX: { head: '@book{a, title = {A},\n', signs: '{}"@,=#\\ \na%(', tail: '}\n' },
  'a value of BibTeX': { head: '@book{a, title = {', signs: '\\" \na$^~-&', tail: '}}\n' },
  CSL: { head: '[{"type":"book","title":"A","x":', signs: '[{",:1 \\]}', tail: '}]' },
  GCstar: {
    head: `${XML}<collection type="GCbooks">`,
    signs: '<>/!-?a "=&[]',
    tail: '</collection>',
  },
  Tellico: {
    head: `${XML}<tellico><collection type="2"><entry>`,
    signs: '<>/!-?a "=&[]',
    tail: '</entry></collection></tellico>',
  },
  'a property list': {
    head: `${XML}<plist version="1.0"><dict><key>a</key><array><dict><key>title</key><string>`,
    signs: '<>/!-a []&',
    tail: '</string></dict></array></dict></plist>',
  },
  MARCXML: {
    head: `${XML}${MARC}<datafield tag="245" ind1=" " ind2=" "><subfield code="a">`,
    signs: 'a /:.,<>&[1',
    tail: '</subfield></datafield></record></collection>',
  },
  'ISO 2709': {
    head: '00000nam a2200049 a 4500245000500000\u001e',
    signs: '\u001f\u001e\u001d a\u001b0\u0088',
    tail: '\u001e\u001d',
  },
  'a list of ISBNs': { head: '9782070408504\n', signs: '9- \nX7,', tail: '\n' },
};

/** The number of a file's records, or the refusal. */
async function outcomeOf(text: string, encoding: BufferEncoding): Promise<number | string> {
  try {
    const bytes = Buffer.from(text, encoding);
    const file = await openFile(bytes, { given: null, remembered: () => null });
    return [...file.records].length;
  } catch (error) {
    if (isRefusal(error)) return error.code;
    throw error;
  }
}

describe('a megabyte of two signs', () => {
  test.each(Object.entries(FORMATS))('in %s is read or refused', async (name, motifs) => {
    const { oneOf } = random(SEED);
    const signs = Array.from(motifs.signs);
    for (let played = 0; played < runs(4); played++) {
      const motif = oneOf(signs) + oneOf(signs);
      const text = motifs.head + motif.repeat(LENGTH / 2) + motifs.tail;
      const outcome = await outcomeOf(text, name === 'ISO 2709' ? 'latin1' : 'utf8');
      expect(String(outcome), motif).toMatch(/^(?:\d+|FICHIER_INVALIDE)$/);
    }
  });

  test('a record of ISO 2709 with seven thousand fields is read', async () => {
    const count = 7_000;
    const field = '  \u001faMot\u001e';
    const entries = Array.from({ length: count }, (_, at) => {
      const from = String(at * field.length).padStart(5, '0');
      return `${at === 0 ? '245' : '650'}${String(field.length).padStart(4, '0')}${from}`;
    });
    const base = 24 + entries.length * 12 + 1;
    const leader = `00000nam a22${String(base).padStart(5, '0')} a 4500`;
    const record = `${leader}${entries.join('')}\u001e${field.repeat(count)}\u001d`;
    expect(await outcomeOf(record, 'latin1')).toBe(1);
  });
});
