import { text } from 'node:stream/consumers';
import { withAbsentFields } from '#shared/absent-fields';
import {
  EXPORT_HEAD,
  EXPORT_VERSION,
  ExportHead,
  ExportLivre,
  ExportSouhait,
  exportKindNames,
  exportKinds,
  type ExportKind,
  type ExportRecord,
} from '#shared/export';
import { detailKey } from '#shared/detail-names';
import { LONG_TEXTS } from '#shared/fields';
import { parseIsbn } from '#shared/isbn';
import { parseIssn } from '#shared/issn';
import {
  isAfter,
  lectureDateError,
  NO_POSITION,
  type Lecture,
  type Position,
} from '#shared/lectures';
import { LIVRE_TEXTS } from '#shared/livres';
import { mapObject } from '#shared/object-keys';
import { STATUTS } from '#shared/statuts';
import { nfc, shortened, storedLine } from '#shared/text';
import { parseForeign } from '#server/plumbing/common/json';
import {
  parseLenient,
  type LenientResult,
  type Fault,
} from '#server/plumbing/common/parse-lenient';
import { CompressedList } from '#server/plumbing/common/compressed-list';
import { validatorOf } from '#server/plumbing/common/schemas';
import { openZip, type Zip } from '#server/plumbing/common/zip';
import { readStart } from '#server/plumbing/database/files';
import { latestDay } from '#server/subjects/lectures';
import { findPretObstacle } from '#server/subjects/prets';
import { inRow, invalid, raison, messageOf, type Raison } from '#server/plumbing/common/raisons';
import { ArchiveIds } from './archive-ids.ts';
import {
  RECORD_HEADERS,
  recordCells,
  DETECTED_BY_BYTES,
  type OpenedFile,
  type ImportRecord,
  type RestOfExport,
  RecordList,
} from '../record.ts';
import type { EtatLecture } from '../values.ts';

/** Limits for all files of an export, unpacked: a hundred thousand books take a tenth. */
export const BOUNDS = { maxFiles: 100_000, maxBytes: 500_000_000, refuse: invalid };
const MAX_RECORDS = 200_000;
/** Longer than any record, in characters. */
const MAX_RECORD_LENGTH = 1_000_000;
/** A zip is recognised by its first bytes. */
export const HEAD_BYTES = 2048;

/** The first bytes of a zip. */
export const ZIP_SIGNATURE = 'PK\x03\x04';

const damaged = () => invalid(raison('archiveAbimee'));

/** Another thread passes a file as plain bytes. */
export const toBuffer = ({ buffer: bytes, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(bytes, byteOffset, byteLength);

export const isExport = (start: string): boolean =>
  start.startsWith(ZIP_SIGNATURE) && start.includes(EXPORT_HEAD);

export const isExportFile = (path: string): boolean =>
  isExport(readStart(path, HEAD_BYTES).toString('latin1'));

/**
 * Reads a household's own export, in memory or at a path: books and wishes become rows, the rest is stored beside
 * them. Throws `FICHIER_INVALIDE`.
 */
export async function openExport(file: Buffer | string): Promise<OpenedFile> {
  const zip = await openZip(file, BOUNDS);
  try {
    const head = readHead(await text(zip.read(EXPORT_HEAD)));
    const avertissements = headWarnings(head);
    const ids = new ArchiveIds();
    const records = new RecordList({ isExact: true });
    const rest = new CompressedList<RestOfExport>();
    const addRow = (record: ImportRecord) =>
      records.add({ ligne: records.length + 1, record, cells: recordCells(record) });
    for (const kind of exportKindNames) {
      const left: Raison[] = [];
      const at = (index: number) => (found: Raison) =>
        raison('dansFiche', { fichier: `${kind}.json`, fiche: index, suite: messageOf(found) });
      let index = 0;
      for await (const value of readKind(zip, head, kind)) {
        index++;
        const leads = (record: ExportRecord<ExportKind>) =>
          ids.take(kind, record, index).map(raisonOfFault);
        if (kind === 'livres') addRow(toLivre(value, leads));
        else if (kind === 'souhaits') addRow(toSouhait(value, leads));
        else {
          const admission =
            kind === 'lectures' ? admitLecture(value) : parseLenient(exportKinds[kind], value);
          left.push(...leftOf(admission).map(at(index)));
          if (admission.record === null) continue;
          left.push(...leads(admission.record).map(at(index)));
          rest.push({ kind, value: admission.record });
        }
      }
      left.push(...ids.endKind().map(({ index: of, fault }) => at(of)(raisonOfFault(fault))));
      avertissements.push(...left.slice(0, MAX_TOLD));
      if (left.length > MAX_TOLD)
        avertissements.push(
          raison('autresValeursDe', { fichier: `${kind}.json`, nombre: left.length - MAX_TOLD }),
        );
    }
    const common = { monthFirst: false, avertissements, perdus: [], decodage: DETECTED_BY_BYTES };
    const named = {
      format: 'rayonnage',
      programme: 'Rayonnage',
      encodage: 'utf-8',
      colonnes: null,
    } as const;
    const content = { headers: RECORD_HEADERS, records: records.read(), rest };
    return { ...named, export: head, ...content, ...common };
  } finally {
    zip.close();
  }
}

/** Messages about a whole archive, shown before and after the import. */
function headWarnings({ utilisateur, deCopie }: ExportHead): Raison[] {
  const warnings = utilisateur === null ? [raison('partageSeul')] : [];
  if (deCopie === true) warnings.push(raison('deCopie'));
  return warnings;
}

function readHead(json: string): ExportHead {
  const head = parse(json);
  const version: unknown = Reflect.get(Object(head), 'version');
  if (typeof version === 'number' && version > EXPORT_VERSION)
    throw invalid(raison('exportPlusRecent'));
  if (!validatorOf(ExportHead)(head)) throw invalid(raison('zipSansExport'));
  return head;
}

function parse(json: string): unknown {
  const value = parseForeign(json);
  if (value === undefined) throw damaged();
  return value;
}

/** The records of a kind, as many as the manifest counts; none of a kind without a count. */
async function* readKind(zip: Zip, { counts }: ExportHead, kind: ExportKind): AsyncGenerator {
  // A version that did not have the kind yet.
  if (counts[kind] === undefined) return;
  let count = 0;
  for await (const value of jsonValues(zip.read(`json/${kind}.json`))) {
    if (++count > MAX_RECORDS) throw invalid(raison('fichesDeTrop'));
    yield presentDay(kind, value);
  }
  if (count !== counts[kind]) throw damaged();
}

/** Yields the values of a JSON list; stops beyond the limit of an export. */
export async function* jsonValues(bytes: AsyncIterable<Buffer>): AsyncGenerator {
  const decoder = new TextDecoder();
  let [depth, text, inString, isEscaped] = [0, '', false, false];
  for await (const chunk of bytes) {
    const piece = decoder.decode(chunk, { stream: true });
    let start = 0;
    for (let index = 0; index < piece.length; index++) {
      const character = piece.charAt(index);
      if (inString) {
        if (isEscaped) isEscaped = false;
        else if (character === '\\') isEscaped = true;
        else if (character === '"') inString = false;
      } else if (character === '"') inString = true;
      else if (character === '{' || character === '[') {
        if (++depth === 2) start = index;
      } else if ((character === '}' || character === ']') && --depth === 1) {
        yield parse(text + piece.slice(start, index + 1));
        text = '';
      }
    }
    if (depth >= 2) text += piece.slice(start);
    if (text.length > MAX_RECORD_LENGTH) throw damaged();
  }
  if (depth !== 0) throw damaged();
}

/** A record of an older version with every field of today, and its texts as the service stores them. */
function presentDay(kind: ExportKind, record: unknown): unknown {
  const pending = [record];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    for (const [key, value] of Object.entries(next))
      if (typeof value !== 'string') pending.push(value);
      else Reflect.set(next, key, storedText(key, value));
  }
  return typeof record === 'object' && record !== null
    ? withAbsentFields(exportKinds[kind], record)
    : record;
}

function storedText(key: string, text: string): string {
  const clean = text.toWellFormed().replaceAll('\0', ' ');
  if (LONG_TEXTS.has(key)) return nfc(clean.replace(/\r\n?/g, '\n').trim());
  const stored = storedLine(clean);
  // Earlier versions stored other spellings of a code.
  if (key === 'isbn') return parseIsbn(stored) ?? stored;
  return key === 'issn' || key === 'secondIssn' ? (parseIssn(stored) ?? stored) : stored;
}

// Records of an archive are validated by their own schema, and by a form's rules of dates
// (docs/rules.md § 41).

/** How many rejected values of a file are reported one by one. */
const MAX_TOLD = 100;

function raisonOfFault({ champ, raison: why, text }: Fault): Raison {
  const suite = messageOf(why);
  return text === ''
    ? raison('champLaisse', { champ, suite })
    : raison('valeurLaissee', { champ, valeur: text, suite });
}

/** Messages about rejected values, or about the rejected record. */
function leftOf({ record, faults, moreFaults }: LenientResult<object>): Raison[] {
  const raisons = faults.map(raisonOfFault);
  if (moreFaults > 0) raisons.push(raison('autresValeurs', { nombre: moreFaults }));
  return record === null ? [raison('ficheIllisible', { suite: inRow(raisons) })] : raisons;
}

/** Why a reading cannot be of a date; `null` where it can. */
function dateObstacle(date: string): Raison | null {
  const code = lectureDateError(date, latestDay());
  return code === null ? null : raison('champ', { code });
}

function admitLecture(value: unknown): LenientResult<Lecture> {
  const { record, faults, moreFaults } = parseLenient(exportKinds.lectures, value);
  if (record === null) return { record, faults, moreFaults };
  const found = [...faults];
  const possible = (champ: 'debut' | 'fin'): string | null => {
    const text = record[champ];
    const why = text === null ? null : dateObstacle(text);
    if (text !== null && why !== null) found.push({ champ, raison: why, text });
    return why === null ? text : null;
  };
  const [debut, fin] = [possible('debut'), possible('fin')];
  const isBehind = debut !== null && fin !== null && isAfter(debut, fin);
  if (isBehind) found.push({ champ: 'debut', raison: raison('apresFin', { fin }), text: debut });
  const position = possiblePosition(record, found);
  return {
    record: { ...record, debut: isBehind ? null : debut, fin, ...position },
    faults: found,
    moreFaults,
  };
}

/**
 * A valid reading position: a page or a percentage, and a day that is not in the future; `found` receives the
 * rejected values.
 */
function possiblePosition({ page, pourcent, pageJour }: Lecture, found: Fault[]): Position {
  if (page === null && pourcent === null) {
    if (pageJour !== null)
      found.push({ champ: 'pageJour', raison: raison('sansPage'), text: pageJour });
    return NO_POSITION;
  }
  const why = pageJour === null ? null : dateObstacle(pageJour);
  if (pageJour !== null && why !== null)
    found.push({ champ: 'pageJour', raison: why, text: pageJour });
  if (page !== null && pourcent !== null)
    found.push({ champ: 'pourcent', raison: raison('aCoteDePage'), text: String(pourcent) });
  return {
    page,
    pourcent: page === null ? pourcent : null,
    pageJour: why === null ? pageJour : null,
  };
}

function admitLivre(value: unknown): LenientResult<ExportLivre> {
  const { record, faults, moreFaults } = parseLenient(ExportLivre, value);
  if (record === null) return { record, faults, moreFaults };
  const found = [...faults];
  const keys = new Set<string>();
  const details = record.details.filter(({ nom }, index) => {
    const isSecond = keys.has(detailKey(nom));
    if (isSecond)
      found.push({
        champ: `details.${index + 1}`,
        raison: raison('autreDetail'),
        text: nom,
      });
    keys.add(detailKey(nom));
    return !isSecond;
  });
  let { emprunteA } = record;
  const aRendre = emprunteA?.aRendre ?? null;
  if (emprunteA !== null && aRendre !== null && aRendre < emprunteA.depuis) {
    found.push({ champ: 'emprunteA.aRendre', raison: raison('avantEmprunt'), text: aRendre });
    emprunteA = { ...emprunteA, aRendre: null };
  }
  let isLent = emprunteA !== null;
  const prets = record.prets.flatMap((pret, index) => {
    const { champ, code } = findPretObstacle(pret) ?? {};
    const at = `prets.${index + 1}`;
    if (champ !== undefined && code !== undefined)
      found.push({
        champ: `${at}.${champ}`,
        raison: raison('champ', { code }),
        text: pret[champ] ?? '',
      });
    if (champ !== undefined && champ !== 'dateRetourPrevue') return [];
    const isSecond = isLent && pret.dateRetour === null;
    isLent ||= pret.dateRetour === null;
    if (isSecond) {
      const why = raison(emprunteA === null ? 'autrePret' : 'dejaEmprunte');
      found.push({ champ: at, raison: why, text: pret.emprunteur });
    }
    return isSecond ? [] : [champ === undefined ? pret : { ...pret, dateRetourPrevue: null }];
  });
  return { record: { ...record, details, emprunteA, prets }, faults: found, moreFaults };
}

const MAX_TITRE_LENGTH = 200;

/** Checks the references of a record. */
type Leads = (record: ExportRecord<ExportKind>) => Raison[];

/** A rejected record, under its name. */
function refusedRow(value: unknown, [refus]: readonly Raison[]): ImportRecord {
  const titre: unknown = Reflect.get(Object(value), 'titre');
  const named = typeof titre === 'string' ? shortened(titre, MAX_TITRE_LENGTH) : '';
  return { titre: named, auteurs: [], refusal: refus ?? raison('pasFiche') };
}

function toLivre(given: unknown, leads: Leads): ImportRecord {
  const admission = admitLivre(given);
  const avertissements = leftOf(admission);
  const { record: value } = admission;
  if (value === null) return refusedRow(given, avertissements);
  const open = value.prets.find(({ dateRetour }) => dateRetour === null);
  return {
    notes: [...avertissements, ...leads(value)],
    titre: value.titre,
    auteurs: value.auteurs.map(({ nom }) => nom),
    isbns: value.isbn === null ? [] : [value.isbn],
    ...mapObject(LIVRE_TEXTS, (name) => value[name] ?? ''),
    annee: String(value.annee ?? ''),
    nombrePages: String(value.nombrePages ?? ''),
    isNumerique: value.format === 'Numerique',
    lecture: value.statut === null ? null : LECTURES[value.statut],
    pret: open === undefined ? null : { ...open, date: open.datePret },
    kept: { livre: value },
  };
}

const LECTURES: Readonly<Record<0 | 1 | 2, EtatLecture>> = {
  [STATUTS.aLire]: 'aLire',
  [STATUTS.enCours]: 'enCours',
  [STATUTS.lu]: 'lu',
};

function toSouhait(given: unknown, leads: Leads): ImportRecord {
  const admission = parseLenient(ExportSouhait, given);
  const avertissements = leftOf(admission);
  const { record: value } = admission;
  if (value === null) return refusedRow(given, avertissements);
  const { titre, auteur, isbn } = value;
  return {
    notes: [...avertissements, ...leads(value)],
    titre,
    auteurs: auteur === null ? [] : [auteur],
    isbns: isbn === null ? [] : [isbn],
    lecture: 'souhait',
    kept: { souhait: value },
  };
}
