import { describe, expect, test } from 'vitest';
import { lireNotice } from '#server/upstream/bnf/notice';
import { lireSru } from '#server/upstream/bnf/sru';
import { parseXml } from '#server/upstream/bnf/xml';
import { NOTICES } from '../../demo/upstream/notices.ts';
import { enveloppe, xmlNotice } from '../../demo/upstream/sru.ts';

const notices = (xml: string) => lireSru(xml).notices.map(lireNotice);
const parArk = (ark: string) => NOTICES.filter((notice) => notice.ark === ark).map(xmlNotice);

test('a record is read whole', () => {
  expect(notices(enveloppe(parArk('cb900000001')))).toEqual([
    {
      id: 'ark:/12148/cb900000001',
      titre: 'Les travailleurs de la mer',
      auteurs: ['Victor Hugo'],
      editeur: 'Les Presses du phare',
      annee: 2019,
      nombrePages: 612,
      isbns: ['9782948012017'],
      issns: [],
      genre: 'livre',
    },
  ]);
});

test.each(['srw', 'zs', 'ns2'])('the prefix may be %s', (prefixe) => {
  expect(notices(enveloppe(parArk('cb900000002'), { prefixe }))).toHaveLength(1);
});

test('the namespace may be the default one', () => {
  const xml = enveloppe(parArk('cb900000002')).replaceAll('srw:', '').replace(':srw=', '=');
  expect(notices(xml)).toHaveLength(1);
});

test('an element of another namespace is another element', () => {
  const xml = enveloppe(parArk('cb900000002')).replaceAll(
    'http://purl.org/dc/elements/1.1/',
    'http://example.org/',
  );
  expect(notices(xml)).toEqual([null]);
});

test('an empty answer has no record, with or without an empty list', () => {
  const vide = enveloppe([]);
  expect(lireSru(vide)).toEqual({ notices: [], suivante: null });
  const liste = vide.replace('</srw:numberOfRecords>', '$&<srw:records/>');
  expect(lireSru(liste).notices).toEqual([]);
});

test('the next page is told until the last one', () => {
  expect(lireSru(enveloppe(parArk('cb900000001'), { nombre: 30, suite: 11 })).suivante).toBe(11);
  expect(lireSru(enveloppe(parArk('cb900000001'))).suivante).toBeNull();
});

test('a serial, its ISSN and its kind', () => {
  expect(notices(enveloppe(parArk('cb900000020')))[0]).toMatchObject({
    titre: 'Cahiers du rivage',
    issns: ['2917-0443'],
    isbns: [],
    genre: 'revue',
    nombrePages: null,
    annee: 1987,
  });
});

describe('text', () => {
  const texte = (xml: string) => parseXml(`<a>${xml}</a>`).text;
  test.each([
    ['Exup&#233;ry', 'Exupéry'],
    ['Exup&#xE9;ry', 'Exupéry'],
    ['R&amp;D &lt;i&gt;', 'R&D <i>'],
    ['&amp;#233;', '&#233;'],
    ['&amp;amp;', '&amp;'],
    ['<![CDATA[R&amp;D]]>', 'R&amp;D'],
    ['&inconnue;', '&inconnue;'],
    ['&#0;&#x110000;', ''],
    ['&#xD800;', '\ud800'],
  ])('%s', (xml, attendu) => {
    expect(texte(xml)).toBe(attendu);
  });
});

test.each([
  ['a document type', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
  ['an outside document type', '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>'],
  ['a small document type', '<!doctype a><a/>'],
  ['an element that never ends', '<a><b></a>'],
  ['no element', 'nothing'],
  ['nothing', ''],
  ['a well of elements', '<a>'.repeat(200) + '</a>'.repeat(200)],
])('%s is not read', (_, xml) => {
  expect(() => parseXml(xml)).toThrow();
});
