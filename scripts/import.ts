import '#server/start/runtime';
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Check } from 'typebox/value';
import { ENCODAGES, Importation, type Encodage } from '#shared/importations';
import { readConfig, type Config } from '#server/config';
import { CoverLibrary } from '#server/subjects/couvertures/library';
import { Database } from '#server/plumbing/database/database';
import { errorBody, isRefusal } from '#server/plumbing/common/error-body';
import { readColonnes } from '#server/subjects/importations/tables';
import { makeEssai } from '#server/subjects/importations/importations';
import { executerEssai, requireImportation } from '#server/subjects/importations/importations';
import { pictureTaker } from '#server/subjects/importations/pictures';
import { kinds, tables } from '#server/start/kinds';
import { Records } from '#server/plumbing/records/records';
import { renewAll } from '#server/start/context';
import { exitOnError } from './support/exit-on-error.ts';
import { fromCaller } from './support/from-caller.ts';
import { askService } from './support/service.ts';
import { simulatedUser } from './support/user.ts';
import { counted } from './support/words.ts';

const USAGE =
  'import FICHIER|- [--essai] [--a-lire=souhait] [--colonnes=JSON] [--encodage=NOM] [--themes] [--utilisateur=NOM] [--cle=CLE]';

/** For the service to answer. */
const HEALTH_TIMEOUT_MS = 3000;

interface CommandLine {
  readonly file: string;
  readonly isDryRun: boolean;
  readonly aLire: 'statut' | 'souhait';
  readonly colonnes: string | null;
  readonly encodage: Encodage | null;
  /** Whether the most used tags, genres and own shelves of the file become themes, or none. */
  readonly themes: boolean;
  readonly utilisateur: string | null;
  /** A key of the person whose readings and wishes are in the file, where the service has accounts. */
  readonly cle: string | null;
}

void exitOnError(async () => {
  const line = readLine(process.argv.slice(2));
  const bytes = readFile(line.file);
  const config = readConfig(process.env);
  const importation = (await isRunning(config))
    ? await send(config, line, bytes)
    : await importHere(config, line, bytes).catch((error: unknown) => {
        throw isRefusal(error) ? withHeaders(errorBody(error, config.locale)) : error;
      });
  report(importation);
});

function readFile(file: string): Buffer {
  if (file === '-') return readFileSync(process.stdin.fd);
  const path = fromCaller(file);
  if (!existsSync(path)) throw new Error(`Il n’y a pas de fichier à ${path}.`);
  return readFileSync(path);
}

function withHeaders(body: unknown): Error {
  const message = String(Reflect.get(Object(body), 'message'));
  const entetes: unknown = Reflect.get(Object(body), 'entetes');
  if (!Array.isArray(entetes) || entetes.length === 0) return new Error(message);
  return new Error(`${message}\nSes colonnes : ${entetes.join(', ')}.\n${USAGE}`);
}

function readLine(args: readonly string[]): CommandLine {
  const [file, ...others] = args.filter((arg) => !arg.startsWith('--'));
  const options = new Map(
    args
      .filter((arg) => arg.startsWith('--'))
      .map((arg) => {
        const [name = '', ...value] = arg.slice(2).split('=');
        return [name, value.join('=')] as const;
      }),
  );
  const known = ['essai', 'a-lire', 'colonnes', 'encodage', 'themes', 'utilisateur', 'cle'];
  const encodage = ENCODAGES.find((each) => each === options.get('encodage')) ?? null;
  const isWrong =
    [...options.keys()].some((name) => !known.includes(name)) ||
    (options.has('encodage') && encodage === null);
  if (file === undefined || others.length > 0 || isWrong) throw new Error(USAGE);
  return {
    file,
    isDryRun: options.has('essai'),
    aLire: options.get('a-lire') === 'souhait' ? 'souhait' : 'statut',
    colonnes: options.get('colonnes') ?? null,
    encodage,
    themes: options.has('themes'),
    utilisateur: options.get('utilisateur') ?? null,
    cle: options.get('cle') ?? null,
  };
}

function isRunning(config: Config): Promise<boolean> {
  return askService(config, '/api/sante', { timeoutMs: HEALTH_TIMEOUT_MS }).then(
    () => true,
    () => false,
  );
}

async function send(
  config: Config,
  { file, isDryRun, aLire, colonnes, encodage, themes, utilisateur, cle }: CommandLine,
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
      ...(cle === null ? {} : { Authorization: `Bearer ${cle}` }),
      ...(user === null ? {} : { [config.identity.headers.utilisateur]: user }),
    },
    body: bytes,
  });
  if (Reflect.get(Object(body), 'code') === 'CONNEXION_REQUISE')
    throw new Error('La maison a des comptes : donnez une clé de « Mon compte » par --cle=ray_….');
  if (status >= 400) throw withHeaders(body);
  if (!Check(Importation, body)) throw new Error('Le service qui tourne est d’une autre version.');
  return body;
}

async function importHere(config: Config, line: CommandLine, bytes: Buffer): Promise<Importation> {
  const database = Database.open(config.databasePath, undefined, {
    tables,
    coversUrl: config.openLibraryCoversUrl,
  });
  try {
    renewAll(database);
    const utilisateur = line.utilisateur ?? simulatedUser();
    const colonnes = readColonnes(line.colonnes ?? undefined);
    const takePicture = pictureTaker(new CoverLibrary(database, config.coversPath));
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
  const said = etat === 'essai' ? 'Essai, rien n’est écrit' : 'Importé'; // cspell:disable-line -- a sentence of one word
  const filled = completes === 0 ? '' : ` (${counted(completes, 'complété')})`;
  const guessed = encodagePar === 'estimation' ? ', deviné' : '';
  console.log(`${said} (n° ${id}, ${format}, ${encodage}${guessed}) : ${counted(lignes, 'ligne')}`);
  for (const line of encodageExemples) console.log(`  lu : ${line}`);
  console.log(
    `  ${counted(nouveaux, 'nouveau', 'nouveaux')}, ${presents} déjà là${filled}, ${counted(nombreRefuses, 'refusée')}, ${counted(souhaits, 'souhait')}`,
  );
  console.log(
    `  ${counted(statuts, 'statut')}, ${counted(prets, 'prêt')}, ${counted(series, 'série')}`,
  );
  const taken = themes.filter(({ repris }) => repris);
  if (taken.length > 0) console.log(`  thèmes : ${taken.map(({ nom }) => nom).join(', ')}`);
  else if (themes.length > 0)
    console.log(
      `  ${counted(themes.length, 'étiquette n’est pas reprise', 'étiquettes ne sont pas reprises')} ; avec --themes, elles deviennent des thèmes`,
    );
  for (const { ligne, raison, texte } of refuses)
    console.log(`  refusée, ligne ${ligne} : ${raison} (${texte})`);
  reportOthers(nombreRefuses - refuses.length, 'autre refusée', 'autres refusées');
  for (const { ligne, raison } of avertissements)
    console.log(`  à savoir, ligne ${ligne} : ${raison}`);
  reportOthers(
    nombreAvertissements - avertissements.length,
    'autre avertissement',
    'autres avertissements',
  );
  for (const { colonne, lignes: count } of perdus)
    console.log(
      `  ${colonne} : ${counted(count, 'valeur n’est pas reprise', 'valeurs ne sont pas reprises')}`,
    );
  console.log(
    etat === 'essai'
      ? 'Pour importer : la même commande sans --essai.'
      : 'Pour revenir en arrière, pendant trente jours : « Importer une liste », à l’écran.',
  );
}

function reportOthers(count: number, one: string, several: string): void {
  if (count > 0)
    console.log(`  ${counted(count, one, several)} : « Importer une liste », à l’écran.`);
}
