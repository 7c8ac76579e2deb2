import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LivreDocument } from '#shared/livres';
import { Database } from '#server/database/database';
import {
  ajouterLivre,
  lireLivre,
  modifierLivre,
  supprimerLivre,
} from '#server/livres/domain/livres';
import { annuler } from '#server/modifications/domain/annulation';
import { recording } from '#server/modifications/domain/recording';
import { preter, rendre } from '#server/prets/domain';
import { modifierStatut } from '#server/statuts/domain';
import { CALLER } from './support/load.ts';
import { enterLivres } from './support/household.ts';
import { bound, print, ratio, told } from './support/report.ts';
import { elapsed, median } from './support/timing.ts';

const ROUNDS = 7;
const WRITES_A_ROUND = 100;
const DAYS = 30;
const ACTS_A_DAY = 100;

/** A write of a person on one of the books, and the operation that it is. */
interface Kind {
  readonly path: string;
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly work: (database: Database, id: number) => unknown;
}

const KINDS: readonly Kind[] = [
  {
    method: 'PUT',
    path: '/api/livres/:id/statut',
    work: (database, id) => {
      const { statut } = lireLivre(database, id, CALLER);
      modifierStatut(database, CALLER, id, statut === 1 ? 2 : 1);
    },
  },
  {
    method: 'POST',
    path: '/api/livres/:id/prets',
    work: (database, id) => {
      const { pret, format } = lireLivre(database, id, CALLER);
      if (pret !== null) return rendre(database, pret.id);
      return format === 'Physique' ? preter(database, id, 'Luc') : null;
    },
  },
  {
    method: 'PUT',
    path: '/api/livres/:id',
    work: (database, id) => {
      const livre = lireLivre(database, id, CALLER);
      modifierLivre(database, id, { ...livre, editeur: `Éditeur ${String(Math.random())}` });
    },
  },
  {
    method: 'POST',
    path: '/api/livres',
    work: (database, id) =>
      ajouterLivre(
        database,
        { titre: `Nouveau ${String(id)}`, format: 'Physique', auteurs: [`Nom ${String(id)}`] },
        { confirmed: true, utilisateur: CALLER },
      ),
  },
];

/** What keeping acts costs: writes beside the same without it, the size of a month, an undoing. */
export function benchModifications(livres: readonly LivreDocument[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'rayonnage-bench-'));
  const path = join(folder, 'bibliotheque.sqlite');
  const database = Database.open(path);
  enterLivres(database, livres);
  const measures = [];
  for (const kind of KINDS) {
    const [kept = NaN, bare = NaN] = timeBoth(database, kind);
    measures.push(ratio(`${kind.method} ${kind.path}`, kept, bare, 1.3));
  }
  measures.push(...timeLot(database));
  print(`A write that can be taken back, ${livres.length} books`, measures);
  print(`${DAYS} days of ${ACTS_A_DAY} acts, ${livres.length} books`, sizeOfMonth(path, database));
  database.close();
  rmSync(folder, { recursive: true });
}

function write(database: Database, { method, path, work }: Kind, id: number): void {
  const endpoint = { method, path: path as `/api/${string}` };
  database.write(() =>
    recording(database, { endpoint, utilisateur: CALLER }, () => work(database, id)),
  );
}

/** Milliseconds a write, kept and not kept in turns, so that noise hits both. */
function timeBoth(database: Database, kind: Kind): number[] {
  const rounds: [number[], number[]] = [[], []];
  for (let round = -1; round < ROUNDS; round++)
    for (const [index, run] of [
      (id: number) => write(database, kind, id),
      (id: number) => database.write(() => kind.work(database, id)),
    ].entries()) {
      const time = elapsed(() => {
        for (let id = 1; id <= WRITES_A_ROUND; id++) run(id);
      });
      if (round >= 0) rounds[index]?.push(time / WRITES_A_ROUND);
    }
  return rounds.map(median);
}

/** A thousand books deleted as one act, and its undoing. */
function timeLot(database: Database) {
  let id = 0;
  const ids = Array.from({ length: 1000 }, (_, index) => 2000 + index);
  const endpoint = { method: 'POST', path: '/api/livres/lot' } as const;
  const deleting = elapsed(() =>
    database.write(() => {
      const { modificationId } = recording(database, { endpoint, utilisateur: CALLER }, () =>
        ids.forEach((each) => supprimerLivre(database, each)),
      );
      id = modificationId ?? 0;
    }),
  );
  const undoing = elapsed(() =>
    database.write(() => {
      database.trace.open();
      annuler(database, id, CALLER);
    }),
  );
  return [
    bound('1000 books deleted as one act', deleting, 2000, 'ms'),
    bound('their undoing', undoing, 2000, 'ms'),
  ];
}

function sizeOfMonth(path: string, database: Database) {
  const before = sizeOf(path, database);
  for (let n = 0; n < DAYS * ACTS_A_DAY; n++) {
    const kind = KINDS[n % KINDS.length];
    if (kind !== undefined) write(database, kind, 4000 + (n % 3000));
  }
  const after = sizeOf(path, database);
  return [
    told('the database', after, 'MB'),
    told('more than before', after - before, 'MB'),
    bound('an act', ((after - before) * 1e6) / (DAYS * ACTS_A_DAY), 2000, 'bytes'),
  ];
}

/** What the file takes once the log is in it, in MB. */
function sizeOf(path: string, database: Database): number {
  database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
  return statSync(path).size / 1e6;
}
