import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Importation } from '#shared/importations';
import { readConfig, type Config } from '#server/config';
import { CoverLibrary } from '#server/couvertures/domain/library';
import { Database } from '#server/database/database';
import { errorBody, isRefusal } from '#server/domain/error-body';
import { readColonnes } from '#server/importations/domain/formats/mapping';
import { lireFichier } from '#server/importations/domain/dry-run';
import { executer, lireImportation } from '#server/importations/domain/importations';
import { pictureTaker } from '#server/importations/domain/pictures';
import { attempt } from './support/attempt.ts';
import { fromCaller } from './support/from-caller.ts';
import { simulatedUser } from './support/user.ts';
import { counted } from './support/words.ts';

const USAGE =
  'npm run import -- FICHIER [--essai] [--a-lire=souhait] [--colonnes=JSON] [--utilisateur=NOM]';

/** What the command line says. */
interface Line {
  readonly file: string;
  readonly isDryRun: boolean;
  readonly aLire: 'statut' | 'souhait';
  readonly colonnes: string | null;
  readonly utilisateur: string | null;
}

/** Imports a file of books: into the running service, or into the database where none runs. */
await attempt(async () => {
  const line = readLine(process.argv.slice(2));
  const path = fromCaller(line.file);
  if (!existsSync(path)) throw new Error(`Il n’y a pas de fichier à ${path}.`);
  const bytes = readFileSync(path);
  const config = readConfig(process.env);
  const url = await findService(config);
  const importation =
    url === null
      ? await importHere(config, line, bytes).catch((error: unknown) => {
          throw isRefusal(error) ? withHeaders(errorBody(error)) : error;
        })
      : await send(url, config, line, bytes);
  report(importation);
});

/** A refusal as a sentence, with the columns of the table where a mapping would help. */
function withHeaders(body: unknown): Error {
  const message = String(Reflect.get(Object(body), 'message'));
  const entetes: unknown = Reflect.get(Object(body), 'entetes');
  if (!Array.isArray(entetes) || entetes.length === 0) return new Error(message);
  return new Error(`${message}\nSes colonnes : ${entetes.join(', ')}.\n${USAGE}`);
}

function readLine(args: readonly string[]): Line {
  const [file, ...others] = args.filter((arg) => !arg.startsWith('--'));
  const options = new Map(
    args
      .filter((arg) => arg.startsWith('--'))
      .map((arg) => {
        const [name = '', ...value] = arg.slice(2).split('=');
        return [name, value.join('=')] as const;
      }),
  );
  const known = ['essai', 'a-lire', 'colonnes', 'utilisateur'];
  const isWrong = [...options.keys()].some((name) => !known.includes(name));
  if (file === undefined || others.length > 0 || isWrong) throw new Error(USAGE);
  return {
    file,
    isDryRun: options.has('essai'),
    aLire: options.get('a-lire') === 'souhait' ? 'souhait' : 'statut',
    colonnes: options.get('colonnes') ?? null,
    utilisateur: options.get('utilisateur') ?? null,
  };
}

/** The address of the service that runs with these settings; `null` where none answers. */
async function findService({ host, port, tls }: Config): Promise<string | null> {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const address = name.includes(':') ? `[${name}]` : name;
  const url = `${tls ? 'https' : 'http'}://${address}:${port}`;
  try {
    const response = await fetch(`${url}/api/sante`, { signal: AbortSignal.timeout(3000) });
    return response.headers.get('content-type')?.includes('json') === true ? url : null;
  } catch {
    return null;
  }
}

async function send(
  url: string,
  { identity }: Config,
  { file, isDryRun, aLire, colonnes, utilisateur }: Line,
  bytes: Buffer,
): Promise<Importation> {
  const query = new URLSearchParams({ essai: String(isDryRun), nom: basename(file), aLire });
  if (colonnes !== null) query.set('colonnes', colonnes);
  const user = utilisateur === null ? null : Buffer.from(utilisateur).toString('latin1');
  const response = await fetch(`${url}/api/importations?${query.toString()}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/octet-stream',
      ...(user === null ? {} : { [identity.headers.utilisateur]: user }),
    },
    body: new Uint8Array(bytes),
  });
  const body: unknown = await response.json();
  if (!response.ok) throw withHeaders(body);
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the answer of this same version's service
  return body as Importation;
}

async function importHere(config: Config, line: Line, bytes: Buffer): Promise<Importation> {
  const database = Database.open(config.databasePath, undefined, config.openLibraryCoversUrl);
  try {
    const utilisateur = line.utilisateur ?? simulatedUser();
    const colonnes = readColonnes(line.colonnes ?? undefined);
    const takePicture = pictureTaker(new CoverLibrary(database, config.coversPath));
    const nom = basename(line.file);
    const options = { utilisateur, nom, aLire: line.aLire, colonnes, takePicture };
    const id = await lireFichier(database, bytes, options);
    return line.isDryRun
      ? lireImportation(database, id, utilisateur)
      : database.write(() => executer(database, id, utilisateur));
  } finally {
    database.close();
  }
}

function report(importation: Importation): void {
  const { id, etat, format, encodage, lignes, nouveaux, presents, souhaits } = importation;
  const { statuts, prets, series, refuses, avertissements } = importation;
  const said = etat === 'essai' ? 'Essai, rien n’est écrit' : 'Importé'; // cspell:disable-line -- a sentence of one word
  console.log(`${said} (n° ${id}, ${format}, ${encodage}) : ${counted(lignes, 'ligne')}`);
  console.log(
    `  ${counted(nouveaux, 'nouveau', 'nouveaux')}, ${presents} déjà là, ${counted(refuses.length, 'refusée')}, ${counted(souhaits, 'souhait')}`,
  );
  console.log(
    `  ${counted(statuts, 'statut')}, ${counted(prets, 'prêt')}, ${counted(series, 'série')}`,
  );
  for (const { ligne, raison, texte } of refuses)
    console.log(`  refusée, ligne ${ligne} : ${raison} (${texte})`);
  for (const { ligne, raison } of avertissements)
    console.log(`  à savoir, ligne ${ligne} : ${raison}`);
  console.log(
    etat === 'essai'
      ? 'Pour importer : la même commande sans --essai.'
      : 'Pour revenir en arrière, pendant trente jours : « Importer une liste », à l’écran.',
  );
}
