import { describe, expect, test } from 'vitest';
import { parseRecord } from '#server/plumbing/upstream/bnf';
import { parseSru, parseXml } from '#server/plumbing/upstream/sru';
import { RECORDS } from '../../demo/upstream/records.ts';
import { envelope, recordXml } from '../../demo/upstream/sru.ts';

const records = (xml: string) => parseSru(xml).records.map(parseRecord);
const byArk = (ark: string) => RECORDS.filter((record) => record.ark === ark).map(recordXml);

test('a record is read whole', () => {
  expect(records(envelope(byArk('cb900000001')))).toEqual([
    {
      id: 'ark:/12148/cb900000001',
      titre: 'Les travailleurs de la mer',
      auteurs: ['Victor Hugo'],
      editeur: 'Les Presses du phare',
      annee: 2019,
      nombrePages: 612,
      isbns: ['9782948012017'],
      issns: [],
      kind: 'livre',
      details: [
        { nom: 'Langue', valeur: 'français' },
        { nom: 'Traduction', valeur: 'Lise Marchand' },
        { nom: 'Collection', valeur: 'Le Phare de poche ; 12' },
      ],
    },
  ]);
});

test.each(['srw', 'zs', 'ns2'])('the prefix may be %s', (prefix) => {
  expect(records(envelope(byArk('cb900000002'), { prefix }))).toHaveLength(1);
});

test('the namespace may be the default one', () => {
  const xml = envelope(byArk('cb900000002')).replaceAll('srw:', '').replace(':srw=', '=');
  expect(records(xml)).toHaveLength(1);
});

test('an element of another namespace is another element', () => {
  const xml = envelope(byArk('cb900000002')).replaceAll(
    'http://purl.org/dc/elements/1.1/',
    'http://example.org/',
  );
  expect(records(xml)).toEqual([null]);
});

test('an answer without records gives none, list or not', () => {
  const empty = envelope([]);
  expect(parseSru(empty)).toEqual({ records: [], next: null });
  const list = empty.replace('</srw:numberOfRecords>', '$&<srw:records/>');
  expect(parseSru(list).records).toEqual([]);
});

test('the next page is given until the last one', () => {
  expect(parseSru(envelope(byArk('cb900000001'), { count: 30, next: 11 })).next).toBe(11);
  expect(parseSru(envelope(byArk('cb900000001'))).next).toBeNull();
});

test('a serial, its ISSN and its kind', () => {
  expect(records(envelope(byArk('cb900000020')))[0]).toMatchObject({
    titre: 'Cahiers du rivage',
    issns: ['2917-0443'],
    isbns: [],
    kind: 'revue',
    nombrePages: null,
    annee: 1987,
  });
});

describe('text', () => {
  const text = (xml: string) => parseXml(`<a>${xml}</a>`).text;
  test.each([
    ['Exup&#233;ry', 'Exupéry'],
    ['Exup&#xE9;ry', 'Exupéry'],
    ['R&amp;D &lt;i&gt;', 'R&D <i>'],
    ['&amp;#233;', '&#233;'],
    ['&amp;amp;', '&amp;'],
    ['<![CDATA[R&amp;D]]>', 'R&amp;D'],
    ['&inconnue;', '&inconnue;'],
    ['&#0;&#x110000;', '\ufffd\ufffd'],
    ['&#xD800;', '\ufffd'],
  ])('%s', (xml, expected) => {
    expect(text(xml)).toBe(expected);
  });
});

test.each([
  ['a document type', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
  ['an outside document type', '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>'],
  ['a small document type', '<!doctype a><a/>'],
  ['an element that never ends', '<a><b></a>'],
  ['a document that is cut off', '<a><b/>'],
  ['a tag that is cut off', '<a><b c="d</a>'],
  ['elements that end crosswise', '<a><b></a></b>'],
  ['an end without a beginning', '<a/></b>'],
  ['no element', 'nothing'],
  ['nothing', ''],
  ['a well of elements', '<a>'.repeat(200) + '</a>'.repeat(200)],
])('%s is not read', (_, xml) => {
  expect(() => parseXml(xml)).toThrow();
});

describe('a hostile answer is read in no time', () => {
  /** The processor time of some work, in milliseconds. */
  const msOf = (work: () => unknown): number => {
    const begin = process.threadCpuUsage();
    work();
    return process.threadCpuUsage(begin).user / 1000;
  };

  test('a name without an end', () => {
    const refuse = () => expect(() => parseXml(`<a><${'b'.repeat(40_000)}`)).toThrow('Not XML');
    expect(msOf(refuse)).toBeLessThan(1000);
  });

  test.each(['.', '(', ')', '[', '1', '1-', '1.', ', ', 'A. ', ' / ', ' + ', 'EAN 1 ', '&'])(
    'a text of %s alone, in any field',
    (piece) => {
      const text = piece.replace('&', '&amp;').repeat(40_000);
      const field = (name: string, label = '') => `<dc:${name}>${label}a${text}b</dc:${name}>`;
      const content = parseXml(
        `<dc xmlns:dc="http://purl.org/dc/elements/1.1/">
          ${['title', 'creator', 'publisher', 'date', 'format', 'description'].map((name) => field(name)).join('')}
          ${field('identifier', 'ISBN ')}${field('identifier', 'ISSN ')}</dc>`,
      );
      expect(msOf(() => parseRecord({ identifier: null, content }))).toBeLessThan(1000);
    },
  );
});
