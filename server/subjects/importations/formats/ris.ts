import { nomOfLangue } from '#shared/langues';
import { readingOrder } from '#server/plumbing/upstream/noms';
import { linesOf } from '#server/plumbing/common/lines';
import { raison, type Raison } from '#server/plumbing/common/raisons';
import type { ListFormat } from './format.ts';
import {
  MAX_VALUES,
  namingOf,
  RecordBuilder,
  textsByName,
  tooFull,
  type ReadList,
} from './record-builder.ts';
import { isPageCount, toRecord } from './reference.ts';

// RIS (docs/rules.md § 35)

// cspell:disable -- codes of the format
const RIS_BOOKS = new Set([
  'BOOK',
  'EBOOK',
  'EDBOOK',
  'CLSWK',
  'DICT',
  'ENCYC',
  'PAMP',
  'THES',
  'MULTI',
]);
const RIS_CHAPTERS = new Set(['CHAP', 'ECHAP']);

/** Tags with one meaning, by household words; others are read separately. */
const RIS_NAMES = namingOf({
  ...textsByName('livres.ris'),
  KW: 'themes',
  N1: { detail: 'Note' },
  AB: { detail: 'Résumé' },
  N2: { detail: 'Résumé' },
  A4: { detail: 'Traduction' },
  TA: { detail: 'Traduction' },
  A3: { detail: 'Direction de collection' },
  OP: { detail: 'Titre original' },
  TT: { detail: 'Titre traduit' },
  ST: { detail: 'Titre abrégé' },
  T3: { detail: 'Collection' },
  CY: { detail: 'Lieu d’édition' },
  PP: { detail: 'Lieu d’édition' },
  ET: { detail: 'Édition' },
  CN: { detail: 'Cote' },
  UR: { detail: 'Adresse' },
  L1: { detail: 'Fichier' },
  L2: { detail: 'Adresse' },
  DO: { detail: 'DOI' },
  DB: { detail: 'Base de données' },
  DP: { detail: 'Source' },
  M3: { detail: 'Nature' },
  NV: { detail: 'Nombre de volumes' },
  SE: { detail: 'Section' },
});

const TRANSLATORS = new Set(['A4', 'TA']);

const RIS_SILENT = new Set(['ER', 'TY', 'ID', 'LU', 'Y2', 'J2', 'JA', 'JF', 'JO']);
// cspell:enable

const RIS_LINE = /^([A-Z][A-Z0-9]) {0,2}-(?: (.*))?$/;

export const ris: ListFormat = { sniff: ({ text }) => isRis(text), read: readRis };

/** Whether a record comes first: a reference manager may write blank lines and « Provider: Zotero » before it. */
function isRis(head: string): boolean {
  const isFirst = (line: string) => /^\s*TY {1,2}- /.test(line);
  const first = head
    .split('\n')
    .find((line) => isFirst(line) || (line.trim() !== '' && !/^[^,;\t]*:/.test(line)));
  return first !== undefined && isFirst(first);
}

/** Tag → its values, in the file's order, each with its lines. */
type RisRecord = Map<string, string[][]>;

function readRis(text: string): ReadList {
  const avertissements: Raison[] = [];
  return {
    format: 'ris',
    programme: 'RIS',
    records: risRecords(text, avertissements),
    avertissements,
  };
}

/** @param avertissements receives the warnings about all records, after the last one */
function* risRecords(text: string, avertissements: Raison[]): Generator<RecordBuilder> {
  let open: RisRecord | null = null;
  let [last, count] = ['', 0];
  for (const line of linesOf(text)) {
    const [, tag, value = ''] = RIS_LINE.exec(line.trimEnd()) ?? [];
    if (tag === 'TY') {
      if (open !== null) yield risToRecord(open);
      [open, count] = [new Map(), 0];
    }
    if (open === null) continue;
    if (++count > MAX_VALUES) throw tooFull();
    if (tag === 'ER') {
      yield risToRecord(open);
      open = null;
    } else if (tag !== undefined) {
      const values = open.get(tag) ?? [];
      values.push([value.trim()]);
      open.set(tag, values);
      last = tag;
    } else if (line.trim() !== '') open.get(last)?.at(-1)?.push(line.trim());
  }
  if (open === null) return;
  yield risToRecord(open);
  avertissements.push(raison('ficheCoupee'));
}

function risToRecord(record: RisRecord): RecordBuilder {
  const texts = new Map(
    Array.from(record, ([tag, values]) => [tag, values.map((lines) => lines.join('\n').trim())]),
  );
  const all = (...tags: string[]) => tags.flatMap((tag) => texts.get(tag) ?? []).filter(Boolean);
  const first = (...tags: string[]) => all(...tags)[0] ?? '';
  const type = first('TY').toUpperCase();
  const kind = RIS_BOOKS.has(type) ? 'book' : RIS_CHAPTERS.has(type) ? 'chapter' : 'other';
  const values = new RecordBuilder();
  const names = (...tags: string[]) => all(...tags).map(readingOrder);
  const read = new Set(['TI', 'T1', 'T2', 'BT', 'AU', 'A1', 'A2', 'ED', 'SN', 'PY', 'Y1', 'DA']);
  for (const tag of ['SP', 'EP', 'VL', 'IS', 'M1', 'SV', 'LA', 'CT']) read.add(tag);
  if (kind === 'book' && first('TI', 'T1') !== '')
    values.detail('Autre titre', [...new Set(all('TI', 'T1', 'CT', 'BT'))].slice(1));
  values.add('annee', first('PY', 'Y1', 'DA')).detail('Langue', nomOfLangue(first('LA')));
  const [from, to] = [first('SP'), first('EP')];
  if (kind !== 'chapter' && to === '' && isPageCount(from)) values.add('nombrePages', from);
  else values.detail('Pages citées', [from, to].filter(Boolean).join('–'));
  const numero = first('VL', 'SV', 'IS', 'M1');
  const serie = kind === 'chapter' ? '' : first('T2') || (numero === '' ? '' : first('T3'));
  if (serie !== '') values.add('serie', serie).add('numero', numero);
  else values.detail('Volume', numero);
  for (const [tag, found] of texts) {
    if (read.has(tag) || RIS_SILENT.has(tag)) continue;
    if (tag === 'T3' && found.includes(serie)) continue;
    values.named(RIS_NAMES, tag, TRANSLATORS.has(tag) ? found.map(readingOrder) : found);
  }
  return toRecord({
    kind,
    type,
    values,
    titre: first('TI', 'T1', 'CT') || (kind === 'book' ? first('BT') : ''),
    container: first('BT', 'T2'),
    auteurs: names('AU', 'A1'),
    containerAuteurs: [],
    direction: names('A2', 'ED'),
    isbns: kind === 'other' && all('JO', 'JF', 'T2').length > 0 ? [] : all('SN'),
  });
}
