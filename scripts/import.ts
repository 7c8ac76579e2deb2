import '#server/start/runtime';
import { m } from '#messages';
import { getLocale } from '#messages/runtime';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Check } from 'typebox/value';
import { ENCODAGES, Importation, type Encodage } from '#shared/importations';
import { readConfig, type Config } from '#server/config';
import { CoverStore } from '#server/subjects/couvertures/cover-store';
import { Database } from '#server/plumbing/database/database';
import { errorBody, isRefusal } from '#server/plumbing/common/error-body';
import { readColonnes } from '#server/subjects/importations/columns';
import {
  makeEssai,
  executerEssai,
  requireImportation,
} from '#server/subjects/importations/importations';
import { pictureTaker } from '#server/subjects/importations/pictures';
import { kinds, tables } from '#server/start/kinds';
import { Records } from '#server/plumbing/records/records';
import { renewAll } from '#server/start/context';
import {
  nameOf,
  readCommandLine,
  wrongUsage,
  type Help,
  type OptionKey,
} from './support/command-line.ts';
import { exitOnError } from './support/exit-on-error.ts';
import { readFromCaller } from './support/from-caller.ts';
import { askService } from './support/service.ts';
import { simulatedUser } from './support/user.ts';

/** For a running service to answer. */
const HEALTH_TIMEOUT_MS = 3000;

const COLUMNS_EXAMPLE = `'{"titre":"Title","auteurs":"Author"}'`;

const HELP: Help = {
  usage: m.operator_import_usage,
  options: {
    dryRun: m.operator_import_option_dry_run,
    toRead: m.operator_import_option_to_read,
    themes: m.operator_import_option_themes,
    columns: () => m.operator_import_option_columns({ example: COLUMNS_EXAMPLE }),
    encoding: m.operator_import_option_encoding,
    user: m.operator_import_option_user,
    key: m.operator_import_option_key,
  },
};

/** The values of `--to-read`, in both languages: where books to read go. */
const TO_READ = new Map([
  ['status', 'statut'],
  ['statut', 'statut'],
  ['wish', 'souhait'],
  ['souhait', 'souhait'],
] as const);

const ENCODINGS = new Map(ENCODAGES.map((encodage) => [encodage, encodage]));

interface ImportLine {
  readonly file: string;
  readonly isDryRun: boolean;
  readonly aLire: 'statut' | 'souhait';
  readonly colonnes: string | null;
  readonly encodage: Encodage | null;
  /** Whether the most frequent tags, genres and shelves of the file become themes. */
  readonly themes: boolean;
  readonly utilisateur: string | null;
  /** A key of the person to whom the file's readings and wishes belong, needed with accounts. */
  readonly cle: string | null;
}

void exitOnError(async () => {
  const line = readLine();
  const bytes = line.file === '-' ? readFileSync(process.stdin.fd) : readFromCaller(line.file);
  const config = readConfig(process.env);
  const importation = (await isRunning(config))
    ? await send(config, line, bytes)
    : await importHere(config, line, bytes).catch((error: unknown) => {
        throw isRefusal(error) ? withHeaders(errorBody(error, getLocale())) : error;
      });
  report(importation);
});

function withHeaders(body: unknown): Error {
  const message = String(Reflect.get(Object(body), 'message'));
  const entetes: unknown = Reflect.get(Object(body), 'entetes');
  if (!Array.isArray(entetes) || entetes.length === 0) return new Error(message);
  return wrongUsage(HELP, message, m.operator_import_columns({ names: entetes.join(', ') }));
}

function readLine(): ImportLine {
  const { positionals, has, value } = readCommandLine(HELP);
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw wrongUsage(HELP);
  return {
    file,
    isDryRun: has('dryRun'),
    aLire: oneOf('toRead', value('toRead'), TO_READ) ?? 'statut',
    colonnes: value('columns'),
    encodage: oneOf('encoding', value('encoding'), ENCODINGS),
    themes: has('themes'),
    utilisateur: value('user'),
    cle: value('key'),
  };
}

/** The meaning of a word that an option takes; `null` where the option is not given. */
function oneOf<T>(
  option: OptionKey,
  word: string | null,
  meanings: ReadonlyMap<string, T>,
): T | null {
  if (word === null) return null;
  const meaning = meanings.get(word);
  if (meaning !== undefined) return meaning;
  const words = [...meanings.keys()].join(', ');
  const name = `--${nameOf(option, getLocale())}`;
  throw wrongUsage(HELP, m.operator_option_other_value({ option: name, value: word, words }));
}

function isRunning(config: Config): Promise<boolean> {
  return askService(config, '/api/sante', { timeoutMs: HEALTH_TIMEOUT_MS }).then(
    () => true,
    () => false,
  );
}

async function send(
  config: Config,
  { file, isDryRun, aLire, colonnes, encodage, themes, utilisateur, cle }: ImportLine,
  bytes: Buffer,
): Promise<Importation> {
  const query = new URLSearchParams({ essai: String(isDryRun), nom: basename(file), aLire });
  if (themes) query.set('themes', 'true');
  if (colonnes !== null) query.set('colonnes', colonnes);
  if (encodage !== null) query.set('encodage', encodage);
  const user = utilisateur === null ? null : Buffer.from(utilisateur).toString('latin1');
  const { status, body } = await askService(config, `/api/importations?${query.toString()}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/octet-stream',
      'Accept-Language': getLocale(),
      ...(cle === null ? {} : { Authorization: `Bearer ${cle}` }),
      ...(user === null ? {} : { [config.identity.headers.utilisateur]: user }),
    },
    body: bytes,
  });
  if (Reflect.get(Object(body), 'code') === 'CONNEXION_REQUISE')
    throw new Error(m.operator_import_needs_key());
  if (status >= 400) throw withHeaders(body);
  if (!Check(Importation, body)) throw new Error(m.operator_import_other_version());
  return body;
}

async function importHere(config: Config, line: ImportLine, bytes: Buffer): Promise<Importation> {
  const database = Database.open(config.databasePath, undefined, {
    tables,
    coversUrl: config.openLibraryCoversUrl,
  });
  try {
    renewAll(database);
    const utilisateur = line.utilisateur ?? simulatedUser();
    const colonnes = readColonnes(line.colonnes ?? undefined);
    const takePicture = pictureTaker(new CoverStore(database, config.coversPath));
    const nom = basename(line.file);
    const { aLire, themes } = line;
    const encodage = line.encodage ?? undefined;
    const options = { utilisateur, nom, aLire, colonnes, encodage, themes, take: takePicture };
    const id = await makeEssai(database, bytes, options);
    return line.isDryRun
      ? requireImportation(database, id, utilisateur)
      : database.write((tx) => executerEssai(new Records(tx, kinds), id, utilisateur)).answer;
  } finally {
    database.close();
  }
}

function report(importation: Importation): void {
  const { id, etat, format, encodage, lignes, nouveaux, presents, souhaits } = importation;
  const { completes, statuts, prets, series, perdus, themes } = importation;
  const { encodagePar, encodageExemples } = importation;
  const { refuses, nombreRefuses, avertissements, nombreAvertissements } = importation;
  const said = etat === 'essai' ? m.operator_import_tried() : m.operator_import_done();
  const encoding =
    encodagePar === 'estimation' ? m.operator_import_guessed({ encoding: encodage }) : encodage;
  const rows = m.count_lignes({ count: lignes });
  console.log(m.operator_import_head({ said, id, format, encoding, rows }));
  for (const line of encodageExemples) tell(m.operator_import_read_as({ line }));
  const present = m.operator_import_present({ count: presents });
  tell(
    m.operator_import_new({ count: nouveaux }),
    completes === 0 ? present : m.operator_import_present_filled({ present, count: completes }),
    m.operator_import_refused_rows({ count: nombreRefuses }),
    m.count_souhaits({ count: souhaits }),
  );
  tell(
    m.count_statuts({ count: statuts }),
    m.count_prets({ count: prets }),
    m.count_series({ count: series }),
  );
  const taken = themes.filter(({ repris }) => repris);
  if (taken.length > 0)
    tell(m.operator_import_themes({ names: taken.map(({ nom }) => nom).join(', ') }));
  else if (themes.length > 0) tell(m.operator_import_tags_left({ count: themes.length }));
  for (const { ligne, raison, texte } of refuses)
    tell(m.operator_import_refused_row({ row: ligne, reason: raison, text: texte }));
  const refusedMore = nombreRefuses - refuses.length;
  if (refusedMore > 0) tell(m.operator_import_refused_others({ count: refusedMore }));
  for (const { ligne, raison } of avertissements)
    tell(
      ligne === null
        ? m.operator_import_warned_file({ reason: raison })
        : m.operator_import_warned_row({ row: ligne, reason: raison }),
    );
  const warnedMore = nombreAvertissements - avertissements.length;
  if (warnedMore > 0) tell(m.operator_import_warned_others({ count: warnedMore }));
  for (const { colonne, lignes: count } of perdus)
    tell(m.operator_import_lost({ column: colonne, count }));
  console.log(etat === 'essai' ? m.operator_import_to_do() : m.operator_import_to_undo());
}

const tell = (...parts: readonly string[]): void => console.log(`  ${parts.join(', ')}`);
