import type {
  Importation,
  ImportationLigne,
  ImportationListee,
  OrdreNoms,
} from '#shared/importations';
import { Refusal } from '#shared/refusals';
import { askAbout } from '#server/subjects/complements';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import { parseKept } from '#server/plumbing/database/kept-json';
import type { Records } from '#server/plumbing/records/records';
import type { Act } from '#server/plumbing/writes/acts';
import type { Done } from '#server/plumbing/writes/operation';
import * as store from '../store/importations.ts';
import type { ImportationRecord } from '../store/importations.ts';
import * as lignes from '../store/lignes.ts';
import { keepMade, stepsOf, toldRest } from './act.ts';
import { auteursOf, readContent } from './content.ts';
import { execute, type Choices } from './execution.ts';
import { isExpired, requireRecord } from './records.ts';

/**
 * Makes a dry run real, or an import again that was taken back; one that is real already stays as it is, but
 * for its rows without an answer of the catalogues, which are tried again. Throws `INTROUVABLE`.
 */
export function executer(
  records: Records<Transaction>,
  id: number,
  utilisateur: string | null,
  choices: Choices = {},
): Done<Importation> {
  const { database } = records;
  const record = requireRecord(database, id, utilisateur);
  if (record.etat === 'lecture') throw new Refusal('IMPORTATION_EN_COURS');
  lignes.retryPending(database, id);
  let act: Act | undefined;
  if (record.etat !== 'faite') {
    const decided = record.etat === 'annulee' ? { ...record.counts, isAgain: true } : choices;
    // Before its books: those added since then are the import's.
    const date = Date.now();
    const { made, counts } = execute(records, record, decided);
    store.updateImportation(database, id, { etat: 'faite', date, made, counts });
    askAbout(database, made.livres);
    const told = {
      ...lireImportation(database, id, utilisateur),
      rest: toldRest(records, made),
    };
    act = keepMade(database, told, utilisateur, stepsOf(records, made, utilisateur));
  }
  return { answer: lireImportation(database, id, utilisateur), act };
}

/** One import of a caller's own. Throws `INTROUVABLE`. */
export function lireImportation(
  database: Reader,
  id: number,
  utilisateur: string | null,
): Importation {
  return describe(database, requireRecord(database, id, utilisateur));
}

/** A caller's imports and dry runs, newest first. */
export const listerImportations = (
  database: Reader,
  utilisateur: string | null,
): ImportationListee[] =>
  store
    .listImportations(database, utilisateur ?? '')
    .filter((record) => !isExpired(record))
    .map((record) => summarize(database, record));

interface LignePage extends lignes.LignePage {
  readonly ordreNoms?: OrdreNoms | undefined;
}

/** A page of the rows of an import, and how many there are in all. Throws `INTROUVABLE`. */
export function listerLignes(
  database: Reader,
  id: number,
  utilisateur: string | null,
  page: LignePage,
): { total: number; lignes: ImportationLigne[] } {
  const { counts: decided } = requireRecord(database, id, utilisateur);
  const { sort, ordreNoms = decided.ordreNoms } = page;
  const counts = lignes.countOutcomes(database, id);
  return {
    total: sort === undefined ? sum(Object.values(counts)) : counts[sort],
    lignes: lignes.listLignes(database, id, page).map((ligne) => toLigne(ligne, ordreNoms)),
  };
}

function summarize(database: Reader, record: ImportationRecord): ImportationListee {
  const { id, etat, date, nom, format, encodage, counts } = record;
  const sorts = lignes.countOutcomes(database, id);
  return {
    id,
    etat,
    date: new Date(date).toISOString(),
    nom,
    format,
    encodage,
    lignes: sum(Object.values(sorts)),
    nouveaux: sorts.nouveau,
    presents: sorts.present,
    souhaits: sorts.souhait,
    statuts: counts.statuts,
    prets: counts.prets,
    series: counts.series,
    notes: counts.notes ?? 0,
    datesDeLecture: counts.datesDeLecture ?? 0,
    enRecherche: lignes.countPending(database, id),
  };
}

function describe(database: Reader, record: ImportationRecord): Importation {
  const { id, counts, colonnes, headers } = record;
  return {
    ...summarize(database, record),
    refuses: lignes
      .listLignes(database, id, { sort: 'refuse' })
      .map(({ ligne, raison, cells, content }) => ({
        ligne,
        raison: raison ?? '',
        texte: textOf(cells, content),
      })),
    avertissements: [...counts.avertissements],
    colonnes,
    entetes: colonnes === null ? [] : headers.filter((header) => header !== ''),
    exemples: [...(counts.exemples ?? [])],
  };
}

const MAX_TEXTE_LENGTH = 200;

/** What names a refused row to its person: its title, else its cells. */
function textOf(cells: string | null, content: string): string {
  const { row } = readContent(content);
  if (row.titre !== '') return row.titre.slice(0, MAX_TEXTE_LENGTH);
  const texts = parseKept<string[]>(cells ?? '[]').filter((cell) => cell !== '');
  return texts.join(' · ').slice(0, MAX_TEXTE_LENGTH);
}

function toLigne(
  { ligne, sort, livreId, raison, content }: lignes.LigneRecord,
  ordre: OrdreNoms | undefined,
): ImportationLigne {
  const read = readContent(content);
  const { titre, isbn } = read.row;
  const auteurs = [...auteursOf(read, ordre)];
  return { ligne, sort, titre: titre || null, auteurs, isbn, livreId, raison };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
