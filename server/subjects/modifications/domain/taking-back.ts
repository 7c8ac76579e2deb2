import { Refusal } from '#shared/refusals';
import type { Transaction } from '#server/plumbing/database/transaction';
import type { Records } from '#server/plumbing/records/records';
import * as store from '#server/plumbing/writes/store/modifications';
import type { KeptModification } from '#server/plumbing/writes/store/modifications';
import { findObstacles, needsCause, type Hindrance } from './hindrances.ts';
import { Reasons } from './reasons.ts';
import { Rollback } from './rollback.ts';
import { refusedSentence } from './sentences.ts';

/** The refusal of an undoing, with what stands in its way, and of which act: « L’ajout ne peut plus être annulé ». */
export const impossible = (
  raison: string,
  rest: { readonly acte?: string; readonly obstacles?: readonly KeptModification[] } = {},
): Refusal<'ANNULATION_IMPOSSIBLE'> => {
  const { acte, obstacles = [] } = rest;
  return new Refusal('ANNULATION_IMPOSSIBLE', {
    raison,
    ...(acte !== undefined && { acte }),
    obstacles: obstacles.map(({ id, resume }) => ({ id, resume })),
  });
};

/** What keeps an act from being taken back, and the acts by which it came; thrown to roll an attempt back. */
class Hindered extends Error {
  readonly hindrances: readonly Hindrance[];

  constructor(hindrances: readonly Hindrance[]) {
    super('An act is in the way');
    this.hindrances = hindrances;
  }
}

/** Carries the outcome of work that is rolled back. */
class RolledBack extends Error {}

/** Takes acts back for one caller, as one act whose id is known before. */
export class TakingBack {
  /** The acts taken back so far, in their order. */
  readonly taken: KeptModification[] = [];
  /** Those that cannot be, besides the first one. */
  readonly blocking = new Map<number, KeptModification>();
  readonly #records: Records<Transaction>;
  readonly #utilisateur: string | null;
  readonly #newId: number;
  #inOrder = false;

  constructor(records: Records<Transaction>, utilisateur: string | null, newId: number) {
    this.#records = records;
    this.#utilisateur = utilisateur;
    this.#newId = newId;
  }

  /**
   * Begins again, and goes through undoings in their turn: those of later acts are left out at first, as they leave
   * things as they were, but where such an act has been redone it may be its redoing that wrote last.
   */
  beginInOrder(): void {
    this.taken.length = 0;
    this.blocking.clear();
    this.#inOrder = true;
  }

  /** Takes an act back, and before it those that are in its way. Tells whether it could. */
  takeWithObstacles(act: KeptModification): boolean {
    for (;;) {
      const hindrances = this.attempt(act);
      if (hindrances.length === 0) return true;
      const obstacles = this.obstaclesTo(act, hindrances);
      if (obstacles === null || !obstacles.every((each) => this.#takeOnTheWay(each))) return false;
    }
  }

  /** Takes an act back, or gives what is in its way and leaves all as it was. */
  attempt(act: KeptModification): readonly Hindrance[] {
    const { database } = this.#records;
    try {
      database.attempt(() => {
        const rollback = new Rollback(this.#records, act);
        rollback.run();
        const hindrances = this.#realOnes(act, rollback.hindrances);
        if (hindrances.length > 0) throw new Hindered(hindrances);
        store.markAnnulee(database, act.id, this.#newId);
      });
    } catch (error) {
      if (error instanceof Hindered) return error.hindrances;
      throw error;
    }
    this.taken.push(act);
    return [];
  }

  /** The acts by which something is in the way, the newest first; `null` where it is not known of any, or another's. */
  obstaclesTo(
    act: KeptModification,
    hindrances: readonly Hindrance[],
  ): readonly KeptModification[] | null {
    const { database } = this.#records;
    const found = findObstacles(database, act.id, hindrances, this.#inOrder);
    const kept = found.map(({ id }) => store.readKeptModification(database, id, this.#utilisateur));
    const readable = kept.filter((each) => each !== undefined);
    return found.length === 0 || readable.length < found.length ? null : readable;
  }

  /** Why an act is refused, in a sentence. */
  raison(act: KeptModification, hindrances: readonly Hindrance[]): string {
    const { utilisateur, steps } = { utilisateur: this.#utilisateur, steps: act.steps };
    const [first] = hindrances;
    if (first === undefined) return '';
    const [obstacle] = findObstacles(this.#records.database, act.id, [first]);
    const change = obstacle?.found[0]?.change;
    return new Reasons(this.#records, { utilisateur, steps, change }).of(first);
  }

  #takeOnTheWay(act: KeptModification): boolean {
    // It may have been taken back on the way of another one.
    if (this.taken.some(({ id }) => id === act.id)) return true;
    if (act.importationId === null && this.takeWithObstacles(act)) return true;
    this.blocking.set(act.id, act);
    return false;
  }

  /** What is in the way as the household is; where nothing is, what later acts have met. */
  #realOnes(act: KeptModification, hindrances: readonly Hindrance[]): readonly Hindrance[] {
    const real = hindrances.filter((each) => !needsCause(each));
    if (real.length > 0) return real;
    const { database } = this.#records;
    return findObstacles(database, act.id, hindrances, this.#inOrder).flatMap(({ found }) =>
      found.map(({ hindrance }) => hindrance),
    );
  }
}

/**
 * Takes an act back, with what is in its way where that is wanted, and gives the ids of these. Throws
 * `ANNULATION_IMPOSSIBLE`, with all that would have to be taken back with it.
 */
export function takeBack(
  records: Records<Transaction>,
  taking: TakingBack,
  act: KeptModification,
  withObstacles: boolean,
): number[] {
  const hindrances = taking.attempt(act);
  if (hindrances.length === 0) return [];
  const raison = taking.raison(act, hindrances);
  const acte = refusedSentence(act);
  const others = () => taking.taken.filter(({ id }) => id !== act.id);
  const obstacles = () => [...others(), ...taking.blocking.values()].sort((a, b) => b.id - a.id);
  if (!tryOut(records, taking, act, withObstacles)) {
    const refused = impossible(raison, { acte, obstacles: obstacles() });
    taking.beginInOrder();
    if (!tryOut(records, taking, act, withObstacles)) throw refused;
  }
  if (!withObstacles) throw impossible(raison, { acte, obstacles: obstacles() });
  return others().map(({ id }) => id);
}

/** Takes an act back with what is in its way; where that cannot be, or is not `wanted`, all is left as it was. */
function tryOut(
  { database }: Records<Transaction>,
  taking: TakingBack,
  act: KeptModification,
  wanted: boolean,
): boolean {
  let isPossible = false;
  try {
    database.attempt(() => {
      isPossible = taking.takeWithObstacles(act);
      if (!isPossible || !wanted) throw new RolledBack();
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
  return isPossible;
}
