import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Endpoint } from '#shared/endpoint';
import * as livreEndpoints from '#shared/livres';
import type { LivreDocument } from '#shared/livres';
import { traiterLot } from '#shared/lots';
import { preter as pretEndpoint } from '#shared/prets';
import { modifierStatut as statutEndpoint } from '#shared/statuts';
import { Database } from '#server/database/database';
import {
  ajouterLivre,
  lireLivre,
  modifierLivre,
  supprimerLivre,
} from '#server/livres/domain/livres';
import { kinds } from '#server/kinds';
import { annuler } from '#server/modifications/domain/annulation';
import { recording } from '#server/writes/recording';
import { preter, rendre } from '#server/prets/domain';
import { Records } from '#server/records/records';
import { statuer } from '#server/lectures/domain/lectures';
import { CALLER } from './support/load.ts';
import { enterInto } from './support/household.ts';
import { bound, print, ratio, told } from './support/report.ts';
import { elapsed } from './support/timing.ts';

const ROUNDS = 7;
const WRITES_A_ROUND = 100;
const DAYS = 30;
const ACTS_A_DAY = 100;

/** A write of a person on one of the books, and the operation that it is. */
interface Kind {
  readonly endpoint: Endpoint;
  readonly work: (database: Database, id: number) => unknown;
}

const KINDS: readonly Kind[] = [
  {
    endpoint: statutEndpoint,
    work: (database, id) => {
      const { statut } = lireLivre(database, id, CALLER);
      const of = { utilisateur: CALLER, livreId: id };
      statuer(database, of, statut === 1 ? 2 : 1, '2026-03-01');
    },
  },
  {
    endpoint: pretEndpoint,
    work: (database, id) => {
      const { pret, format } = lireLivre(database, id, CALLER);
      if (pret !== null) return rendre(database, pret.id);
      return format === 'Physique' ? preter(database, id, 'Luc') : null;
    },
  },
  {
    endpoint: livreEndpoints.modifierLivre,
    work: (database, id) => {
      const livre = lireLivre(database, id, CALLER);
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

/** The cost of acts: writes with and without them, the size of a month of acts, one undoing. */
export function benchModifications(livres: readonly LivreDocument[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'rayonnage-bench-'));
  const path = join(folder, 'bibliotheque.sqlite');
  enterInto(path, livres);
  const database = Database.open(path);
  const measures = [];
  for (const kind of KINDS) {
    const [kept, bare] = timeBoth(database, kind);
    const { method, path: operation } = kind.endpoint;
    measures.push(ratio(`${method} ${operation}`, kept, bare, 1.3));
  }
  measures.push(...timeLot(database));
  print(`A write that can be taken back, ${livres.length} books`, measures);
  print(`${DAYS} days of ${ACTS_A_DAY} acts, ${livres.length} books`, sizeOfMonth(path, database));
  database.close();
  rmSync(folder, { recursive: true });
}

const recordsOf = (database: Database) => new Records(database, kinds);

function write(records: Records, { endpoint, work }: Kind, id: number): void {
  const { database } = records;
  database.write(() =>
    recording(records, { endpoint, utilisateur: CALLER }, () => ({
      answer: work(database, id),
    })),
  );
}

/** Milliseconds a write, kept and not kept in turns, so that noise hits both. */
function timeBoth(database: Database, kind: Kind): [number[], number[]] {
  const records = recordsOf(database);
  const rounds: [number[], number[]] = [[], []];
  for (let round = -1; round < ROUNDS; round++)
    for (const [index, run] of [
      (id: number) => write(records, kind, id),
      (id: number) => database.write(() => kind.work(database, id)),
    ].entries()) {
      const time = elapsed(() => {
        for (let id = 1; id <= WRITES_A_ROUND; id++) run(id);
      });
      if (round >= 0) rounds[index]?.push(time / WRITES_A_ROUND);
    }
  return rounds;
}

/** A thousand books deleted as one act, and its undoing. */
function timeLot(database: Database) {
  let id = 0;
  const ids = Array.from({ length: 1000 }, (_, index) => 2000 + index);
  const records = recordsOf(database);
  const deleting = elapsed(() =>
    database.write(() => {
      const { modification } = recording(
        records,
        { endpoint: traiterLot, utilisateur: CALLER },
        () => {
          for (const each of ids) supprimerLivre(database, each);
          return {};
        },
      );
      id = modification?.id ?? 0;
    }),
  );
  const undoing = elapsed(() =>
    database.write(() => {
      database.capture.start();
      annuler(records, id, CALLER, false);
    }),
  );
  return [
    bound('1000 books deleted as one act', deleting, 2000, 'ms'),
    bound('their undoing', undoing, 2000, 'ms'),
  ];
}

function sizeOfMonth(path: string, database: Database) {
  const records = recordsOf(database);
  const before = sizeOf(path, database);
  for (let n = 0; n < DAYS * ACTS_A_DAY; n++) {
    const kind = KINDS[n % KINDS.length];
    if (kind !== undefined) write(records, kind, 4000 + (n % 3000));
  }
  const after = sizeOf(path, database);
  return [
    told('the database', after, 'MB'),
    told('more than before', after - before, 'MB'),
    bound('an act', ((after - before) * 1e6) / (DAYS * ACTS_A_DAY), 2000, 'bytes'),
  ];
}

/** The size of the file after a checkpoint of its log, in MB. */
function sizeOf(path: string, database: Database): number {
  database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
  return statSync(path).size / 1e6;
}
