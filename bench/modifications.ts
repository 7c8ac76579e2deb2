import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { Endpoint } from '#shared/endpoint';
import * as livreEndpoints from '#shared/livres';
import type { LivreDocument } from '#shared/livres';
import { traiterLot } from '#shared/lots';
import { preter as pretEndpoint } from '#shared/prets';
import { modifierStatut as statutEndpoint } from '#shared/statuts';
import { Database } from '#server/plumbing/database/database';
import type { Transaction } from '#server/plumbing/database/connection';
import { ajouterLivre, modifierLivre, supprimerLivre } from '#server/subjects/livres/livres';
import { requireLivre } from '#server/subjects/livres/read';
import { kinds, tables } from '#server/start/kinds';
import { annuler } from '#server/subjects/modifications/undo';
import { beginModification } from '#server/subjects/modifications/changesets';
import { enteredPret, preter, rendre } from '#server/subjects/prets';
import { Records } from '#server/plumbing/records/records';
import { statuer } from '#server/subjects/lectures';
import { CALLER } from './support/load.ts';
import { enterInto } from './support/household.ts';
import { bound, print, ratio, unbounded } from './support/report.ts';
import { elapsed } from './support/timing.ts';

const ROUNDS = 7;
const WRITES_A_ROUND = 100;
const DAYS = 30;
const ACTS_A_DAY = 100;

interface Kind {
  readonly endpoint: Endpoint;
  readonly work: (database: Transaction, id: number) => unknown;
}

const KINDS: readonly Kind[] = [
  {
    endpoint: statutEndpoint,
    work: (database, id) => {
      const { statut } = requireLivre(database, id, CALLER);
      const of = { utilisateur: CALLER, livreId: id };
      statuer(database, of, statut === 1 ? 2 : 1, { jour: '2026-03-01', isReaders: true });
    },
  },
  {
    endpoint: pretEndpoint,
    work: (database, id) => {
      const { pret, format } = requireLivre(database, id, CALLER);
      if (pret !== null) return rendre(database, pret.id);
      return format === 'Physique'
        ? preter(database, id, enteredPret({ emprunteur: 'Luc' }))
        : null;
    },
  },
  {
    endpoint: livreEndpoints.modifierLivre,
    work: (database, id) => {
      const livre = requireLivre(database, id, CALLER);
      modifierLivre(database, id, { ...livre, editeur: `Éditeur ${String(Math.random())}` });
    },
  },
  {
    endpoint: livreEndpoints.ajouterLivre,
    work: (database, id) =>
      ajouterLivre(
        database,
        { titre: `Nouveau ${String(id)}`, format: 'Physique', auteurs: [`Nom ${String(id)}`] },
        { confirmed: true, utilisateur: CALLER },
      ),
  },
];

/** Measures the cost of the history: writes with and without it, the size of a month, one undo. */
export function benchModifications(livres: readonly LivreDocument[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'rayonnage-bench-'));
  const path = join(folder, 'bibliotheque.sqlite');
  enterInto(path, livres);
  const database = Database.open(path, undefined, { tables, coversUrl: '' });
  const measures = [];
  for (const kind of KINDS) {
    const [kept, bare] = timeBoth(database, kind);
    const { method, path: operation } = kind.endpoint;
    measures.push(ratio(`${method} ${operation}`, kept, bare, 1.3));
  }
  measures.push(...timeLot(database));
  print(`A write that can be undone, ${livres.length} books`, measures);
  print(`${DAYS} days of ${ACTS_A_DAY} acts, ${livres.length} books`, sizeOfMonth(path, database));
  database.close();
  rmSync(folder, { recursive: true });
}

const recordsOf = (database: Database) => new Records(database, kinds);

function write(records: Records<Database>, { endpoint, work }: Kind, id: number): void {
  records.database.write((tx) => {
    const saveModification = beginModification(records.within(tx), { endpoint, actor: CALLER });
    return saveModification(work(tx, id));
  });
}

/** Milliseconds per write, alternately with and without history, so that noise affects both. */
function timeBoth(database: Database, kind: Kind): [number[], number[]] {
  const records = recordsOf(database);
  const rounds: [number[], number[]] = [[], []];
  for (let round = -1; round < ROUNDS; round++)
    for (const [index, run] of [
      (id: number) => write(records, kind, id),
      (id: number) => database.write((tx) => kind.work(tx, id)),
    ].entries()) {
      const time = elapsed(() => {
        for (let id = 1; id <= WRITES_A_ROUND; id++) run(id);
      });
      if (round >= 0) rounds[index]?.push(time / WRITES_A_ROUND);
    }
  return rounds;
}

/** Measures the deletion of a thousand books as one modification, and its undo. */
function timeLot(database: Database) {
  let id = 0;
  const ids = Array.from({ length: 1000 }, (_, index) => 2000 + index);
  const records = recordsOf(database);
  const deleting = elapsed(() =>
    database.write((tx) => {
      const saveModification = beginModification(records.within(tx), {
        endpoint: traiterLot,
        actor: CALLER,
      });
      for (const each of ids) supprimerLivre(tx, each);
      id = saveModification(undefined)?.id ?? 0;
    }),
  );
  const undoing = elapsed(() =>
    database.write((tx) =>
      annuler(
        records.within(tx),
        id,
        { utilisateur: CALLER, locale: 'fr' },
        { withObstacles: false, retried: undefined },
      ),
    ),
  );
  return [
    bound('1000 books deleted as one act', deleting, 2000, 'ms'),
    bound('their undoing', undoing, 2000, 'ms'),
  ];
}

function sizeOfMonth(path: string, database: Database) {
  const records = recordsOf(database);
  const before = sizeOf(path);
  for (let n = 0; n < DAYS * ACTS_A_DAY; n++) {
    const kind = KINDS[n % KINDS.length];
    if (kind !== undefined) write(records, kind, 4000 + (n % 3000));
  }
  const after = sizeOf(path);
  return [
    unbounded('the database', after, 'MB'),
    unbounded('more than before', after - before, 'MB'),
    bound('an act', ((after - before) * 1e6) / (DAYS * ACTS_A_DAY), 2000, 'bytes'),
  ];
}

function sizeOf(path: string): number {
  const beside = new Sqlite(path);
  beside.pragma('wal_checkpoint(TRUNCATE)');
  beside.close();
  return statSync(path).size / 1e6;
}
