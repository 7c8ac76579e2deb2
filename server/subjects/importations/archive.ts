import { m } from '#messages';
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
import { champTold } from '#shared/champs';
import { detailKey } from '#shared/details';
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
import { admit, type Admission, type Fault } from '#server/plumbing/common/admit';
import { PackedList } from '#server/plumbing/common/packed-list';
import { validatorOf } from '#server/plumbing/common/schemas';
import { openZip, type Zip } from '#server/plumbing/common/zip';
import { readStart } from '#server/plumbing/database/files';
import { latestDay } from '#server/subjects/lectures';
import { findPretObstacle } from '#server/subjects/prets';
import { ArchiveIds } from './archive-ids.ts';
import {
  invalid,
  RECORD_HEADERS,
  recordCells,
  TOLD_BY_BYTES,
  type FileRecord,
  type OpenedFile,
  type RawRow,
  type RestOfExport,
} from './rows.ts';
import type { EtatLecture } from './values.ts';

/** What all files of an export may hold together, unpacked: a hundred thousand books take a tenth. */
export const BOUNDS = { maxFiles: 100_000, maxBytes: 500_000_000, refuse: invalid };
const MAX_RECORDS = 200_000;
/** Longer than any record, in characters. */
const MAX_RECORD_LENGTH = 1_000_000;
/** Within so many bytes a zip says what it is. */
export const HEAD_BYTES = 2048;

const damaged = () => invalid(m.reason_archive_damaged());

/** From another thread a file comes as plain bytes. */
export const toBuffer = ({ buffer: bytes, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(bytes, byteOffset, byteLength);

export const isExport = (start: string): boolean => start.includes(EXPORT_HEAD);

export const isExportFile = (path: string): boolean =>
  isExport(readStart(path, HEAD_BYTES).toString('latin1'));

/**
 * Reads a household's own export, in memory or at a path: its books and wishes are rows, the rest is kept beside these.
 * Throws `FICHIER_INVALIDE`.
 */
export async function openExport(file: Buffer | string): Promise<OpenedFile> {
  const zip = await openZip(file, BOUNDS);
  try {
    const head = readHead(await text(zip.read(EXPORT_HEAD)));
    const avertissements = saidOf(head);
    const ids = new ArchiveIds();
    const records = new PackedList<FileRecord>();
    const rest = new PackedList<RestOfExport>();
    const addRow = (raw: RawRow) =>
      records.push({ ligne: records.length + 1, raw, cells: recordCells(raw) });
    for (const kind of exportKindNames) {
      const left: string[] = [];
      const at = (index: number) => (told: string) => `${kind}.json, fiche ${index} : ${told}`;
      let index = 0;
      for await (const value of readKind(zip, head, kind)) {
        index++;
        const leads = (record: ExportRecord<ExportKind>) =>
          ids.take(kind, record, index).map(toldFault);
        if (kind === 'livres') addRow(toLivre(value, leads));
        else if (kind === 'souhaits') addRow(toSouhait(value, leads));
        else {
          const admission =
            kind === 'lectures' ? admitLecture(value) : admit(exportKinds[kind], value);
          left.push(...leftOf(admission).map(at(index)));
          if (admission.record === null) continue;
          left.push(...leads(admission.record).map(at(index)));
          rest.push({ kind, value: admission.record });
        }
      }
      left.push(...ids.endKind().map(({ index: of, fault }) => at(of)(toldFault(fault))));
      avertissements.push(...left.slice(0, MAX_TOLD));
      if (left.length > MAX_TOLD)
        avertissements.push(
          `${kind}.json : ${left.length - MAX_TOLD} autres valeurs laissées de côté`,
        );
    }
    const said = { monthFirst: false, avertissements, perdus: [], decodage: TOLD_BY_BYTES };
    const named = { format: 'rayonnage', encodage: 'utf-8', colonnes: null } as const;
    return { ...named, export: head, headers: RECORD_HEADERS, records, rest, ...said };
  } finally {
    zip.close();
  }
}

/** What is told of a whole archive, before it is imported and after. */
function saidOf({ utilisateur, deCopie }: ExportHead): string[] {
  const said = utilisateur === null ? ['cet export ne contient que ce qui est partagé'] : [];
  if (deCopie === true)
    said.push(
      'cette archive vient de la copie d’un appareil : n’y sont pas les souhaits, les statuts et les lectures des autres, qui reviennent de leurs appareils, ni les images d’origine, les noms d’auteurs corrigés, les fusions refusées et l’historique',
    );
  return said;
}

function readHead(json: string): ExportHead {
  const head = parse(json);
  const version: unknown = Reflect.get(Object(head), 'version');
  if (typeof version === 'number' && version > EXPORT_VERSION)
    throw invalid('Cet export vient d’une version plus récente de Rayonnage : mettez-le à jour.');
  if (!validatorOf(ExportHead)(head))
    throw invalid('C’est une archive zip, et pas un export de Rayonnage.');
  return head;
}

function parse(json: string): unknown {
  const value = parseForeign(json);
  if (value === undefined) throw damaged();
  return value;
}

/** The records of a kind, as many as the export says; none of a kind that it does not name. */
async function* readKind(zip: Zip, { counts }: ExportHead, kind: ExportKind): AsyncGenerator {
  // A version that did not have the kind yet.
  if (counts[kind] === undefined) return;
  let count = 0;
  for await (const value of jsonValues(zip.read(`json/${kind}.json`))) {
    if (++count > MAX_RECORDS) throw invalid('Cette archive a trop de fiches.');
    yield presentDay(kind, value);
  }
  if (count !== counts[kind]) throw damaged();
}

/** The values of a JSON list, one by one: a text that holds more of them than an export may is not read to its end. */
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
  // Earlier versions had other spellings of a code.
  if (key === 'isbn') return parseIsbn(stored) ?? stored;
  return key === 'issn' || key === 'secondIssn' ? (parseIssn(stored) ?? stored) : stored;
}

// What an archive brings passes its shape's own schema, and the rules of dates that a form has (docs/rules.md § 41).

/** So many values that were left out of a file are told one by one. */
const MAX_TOLD = 100;

const toldFault = ({ champ, message, text }: Fault): string =>
  `${champ} laissé de côté${text === '' ? '' : ` (${text})`} : ${message}`;

/** What is told of the values that were left out, or of the record that was. */
function leftOf({ record, faults, moreFaults }: Admission<object>): string[] {
  const told = faults.map(toldFault);
  if (moreFaults > 0) told.push(`${moreFaults} autres valeurs laissées de côté`);
  return record === null ? [`la fiche ne se lit pas, ${told.join(' ; ')}`] : told;
}

function admitLecture(value: unknown): Admission<Lecture> {
  const { record, faults, moreFaults } = admit(exportKinds.lectures, value);
  if (record === null) return { record, faults, moreFaults };
  const found = [...faults];
  const possible = (champ: 'debut' | 'fin'): string | null => {
    const text = record[champ];
    const code = text === null ? null : lectureDateError(text, latestDay());
    if (text !== null && code !== null) found.push({ champ, message: champTold({ code }), text });
    return code === null ? text : null;
  };
  const [debut, fin] = [possible('debut'), possible('fin')];
  const isBehind = debut !== null && fin !== null && isAfter(debut, fin);
  if (isBehind) found.push({ champ: 'debut', message: `vient après la fin (${fin})`, text: debut });
  const position = possiblePosition(record, found);
  return {
    record: { ...record, debut: isBehind ? null : debut, fin, ...position },
    faults: found,
    moreFaults,
  };
}

/** What can be of where a reader is: a page or a percentage, and a day that has come; `found` takes what is left out. */
function possiblePosition({ page, pourcent, pageJour }: Lecture, found: Fault[]): Position {
  if (page === null && pourcent === null) {
    if (pageJour !== null)
      found.push({ champ: 'pageJour', message: 'est sans page', text: pageJour });
    return NO_POSITION;
  }
  const code = pageJour === null ? null : lectureDateError(pageJour, latestDay());
  if (pageJour !== null && code !== null)
    found.push({ champ: 'pageJour', message: champTold({ code }), text: pageJour });
  if (page !== null && pourcent !== null)
    found.push({ champ: 'pourcent', message: 'est à côté d’une page', text: String(pourcent) });
  return {
    page,
    pourcent: page === null ? pourcent : null,
    pageJour: code === null ? pageJour : null,
  };
}

function admitLivre(value: unknown): Admission<ExportLivre> {
  const { record, faults, moreFaults } = admit(ExportLivre, value);
  if (record === null) return { record, faults, moreFaults };
  const found = [...faults];
  const keys = new Set<string>();
  const details = record.details.filter(({ nom }, index) => {
    const isSecond = keys.has(detailKey(nom));
    if (isSecond)
      found.push({
        champ: `details.${index + 1}`,
        message: 'un autre détail porte ce nom',
        text: nom,
      });
    keys.add(detailKey(nom));
    return !isSecond;
  });
  let { emprunteA } = record;
  const aRendre = emprunteA?.aRendre ?? null;
  if (emprunteA !== null && aRendre !== null && aRendre < emprunteA.depuis) {
    found.push({ champ: 'emprunteA.aRendre', message: 'vient avant l’emprunt', text: aRendre });
    emprunteA = { ...emprunteA, aRendre: null };
  }
  let isLent = emprunteA !== null;
  const prets = record.prets.flatMap((pret, index) => {
    const { champ, code } = findPretObstacle(pret) ?? {};
    const at = `prets.${index + 1}`;
    if (champ !== undefined && code !== undefined)
      found.push({
        champ: `${at}.${champ}`,
        message: champTold({ code }),
        text: pret[champ] ?? '',
      });
    if (champ !== undefined && champ !== 'dateRetourPrevue') return [];
    const isSecond = isLent && pret.dateRetour === null;
    isLent ||= pret.dateRetour === null;
    if (isSecond) {
      const message = emprunteA === null ? 'un autre prêt est en cours' : 'le livre est emprunté';
      found.push({ champ: at, message, text: pret.emprunteur });
    }
    return isSecond ? [] : [champ === undefined ? pret : { ...pret, dateRetourPrevue: null }];
  });
  return { record: { ...record, details, emprunteA, prets }, faults: found, moreFaults };
}

const MAX_TITRE_LENGTH = 200;

/** What is told of the ids that a record leads to. */
type Leads = (record: ExportRecord<ExportKind>) => string[];

/** A record that cannot be, by what names it. */
function refusedRow(value: unknown, [raison = '']: readonly string[]): RawRow {
  const titre: unknown = Reflect.get(Object(value), 'titre');
  const named = typeof titre === 'string' ? shortened(titre, MAX_TITRE_LENGTH) : '';
  return { titre: named, auteurs: [], refus: raison };
}

function toLivre(given: unknown, leads: Leads): RawRow {
  const admission = admitLivre(given);
  const avertissements = leftOf(admission);
  const { record: value } = admission;
  if (value === null) return refusedRow(given, avertissements);
  const open = value.prets.find(({ dateRetour }) => dateRetour === null);
  return {
    avertissements: [...avertissements, ...leads(value)],
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

function toSouhait(given: unknown, leads: Leads): RawRow {
  const admission = admit(ExportSouhait, given);
  const avertissements = leftOf(admission);
  const { record: value } = admission;
  if (value === null) return refusedRow(given, avertissements);
  const { titre, auteur, isbn } = value;
  return {
    avertissements: [...avertissements, ...leads(value)],
    titre,
    auteurs: auteur === null ? [] : [auteur],
    isbns: isbn === null ? [] : [isbn],
    lecture: 'souhait',
    kept: { souhait: value },
  };
}
