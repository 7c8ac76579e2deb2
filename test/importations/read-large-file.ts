import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '#server/plumbing/database/database';
import { Records } from '#server/plumbing/records/records';
import { kinds, tables } from '#server/start/kinds';
import { executerEssai, makeEssai, readFichier } from '#server/subjects/importations/importations';

// Runs as its own process with limited memory: reads a file, or also imports it (`execute`).

const [isExecuted] = process.argv.slice(2).map((word) => word === 'execute');

const ROWS = isExecuted === true ? 6000 : 12_000;

/** Appended to each title. */
const TITRE = 'et tous les mots de son titre '.repeat(15);

function isbnOf(row: number): string {
  const body = `97820${String(row).padStart(7, '0')}`;
  const sum = Array.from(body, Number).reduce(
    (total, digit, at) => total + digit * (at % 2 === 0 ? 1 : 3),
    0,
  );
  return `${body}${String((10 - (sum % 10)) % 10)}`;
}

const folder = mkdtempSync(join(tmpdir(), 'rayonnage-'));
try {
  const path = join(folder, 'livres.csv');
  appendFileSync(path, 'Titre,Auteurs,ISBN,Série,Numéro,Étiquettes,Critique\n');
  for (let row = 0; row < ROWS; row++)
    appendFileSync(
      path,
      `Titre ${row} ${TITRE},Auteur ${row % 500},${isbnOf(row)},Série ${row >> 4},${(row & 15) + 1},"roman, poche",${'Une critique. '.repeat(30)}\n`,
    );
  const database = Database.open(join(folder, 'b.sqlite'), undefined, { tables, coversUrl: '' });
  const options = { utilisateur: 'ana', nom: null, aLire: 'statut', colonnes: null } as const;
  let count = 0;
  if (isExecuted === true) {
    const records = new Records(database, kinds);
    const id = await makeEssai(database, path, options);
    database.write((tx) => executerEssai(records.within(tx), id, 'ana'));
    count = database.value<number>('SELECT count(*) FROM Lecture') ?? 0;
  } else {
    const { planned } = await readFichier(database, path, options);
    for (const { read } of planned.plan.rows)
      if (read.row.lectures[0]?.avis?.startsWith('Une')) count++;
  }
  database.close();
  process.stdout.write(String(count === ROWS));
} finally {
  rmSync(folder, { recursive: true });
}
