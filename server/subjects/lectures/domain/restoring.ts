import { isAfter, statutOfLecture, type Lecture, type Notation } from '#shared/lectures';
import { titreKey } from '#shared/text';
import type { Transaction } from '#server/plumbing/database/transaction';
import type { Restored, Restoring } from '#server/plumbing/records/kind';
import * as store from '../store/lectures.ts';

/** A reading comes back once: one of the same book and the same end is there already (docs/rules.md § 55). */
export const lectureRestoring: Restoring<Lecture> = {
  add(database, lectures, { utilisateur, idsOf }) {
    if (utilisateur === null) return [];
    const known = new KnownLectures(database, utilisateur);
    const byOeuvre = Map.groupBy(
      lectures.map((lecture) => ({
        ...lecture,
        livreId: idsOf('livres').get(lecture.livreId ?? 0) ?? null,
      })),
      keyOf,
    );
    return [...byOeuvre.values()].flatMap((some) => {
      const [first] = some;
      return first === undefined ? [] : known.addAll(first, some);
    });
  },
  remove: store.deleteLecture,
  fields: ['debut', 'fin', 'abandon', 'note', 'avis'],
};

interface KnownLecture extends Notation {
  readonly id: number;
}

/** A reader's readings while more are brought in. */
export class KnownLectures {
  readonly #database: Transaction;
  readonly #utilisateur: string;
  readonly #known = new Map<string, KnownLecture[]>();

  constructor(database: Transaction, utilisateur: string) {
    this.#database = database;
    this.#utilisateur = utilisateur;
    for (const lecture of store.listLectures(database, utilisateur))
      this.#note(keyOf(lecture), lecture);
  }

  /** Adds the readings of one book that are not there, and gives those that are what they lack. */
  addAll(
    { livreId, titre, auteurs, isbn }: store.Oeuvre,
    lectures: readonly Notation[],
  ): Restored[] {
    const oeuvre = { livreId, titre, auteurs, isbn };
    // Each that is there answers for one of those that come.
    const left = [...(this.#known.get(keyOf(oeuvre)) ?? [])];
    return lectures.flatMap(({ debut, fin, abandon, note, avis }) => {
      const notation = { debut, fin, abandon, note, avis };
      const index = indexOfSame(left, notation);
      const [known] = index < 0 ? [] : left.splice(index, 1);
      return known === undefined ? [this.#add(oeuvre, notation)] : this.#complete(known, notation);
    });
  }

  #add(oeuvre: store.Oeuvre, notation: Notation): Restored {
    const id = store.insertLecture(this.#database, this.#utilisateur, { ...oeuvre, ...notation });
    this.#note(keyOf(oeuvre), { id, ...notation });
    return { id };
  }

  #complete({ id, ...known }: KnownLecture, { note, avis }: Notation): Restored[] {
    const given = {
      ...(known.note === null && note !== null && { note }),
      ...(known.avis === null && avis !== null && { avis }),
    };
    const values = Object.entries(given).map(([field, value]) => [field, String(value)] as const);
    if (values.length === 0) return [];
    store.updateLecture(this.#database, id, given);
    return [{ id, given: Object.fromEntries(values) }];
  }

  #note(key: string, lecture: KnownLecture): void {
    this.#known.set(key, [...(this.#known.get(key) ?? []), lecture]);
  }
}

const keyOf = ({ livreId, titre, auteurs }: store.Oeuvre): string =>
  livreId === null ? `${titreKey(titre)}\n${auteurs.join('\n')}` : String(livreId);

/** The reading that another one is: of the same end, as far as both are known; one without a date is any. */
function indexOfSame(known: readonly KnownLecture[], { fin, debut, abandon }: Notation): number {
  const alike = (test: (one: KnownLecture) => boolean) =>
    known.findIndex((one) => one.abandon === abandon && test(one));
  const exact = alike((one) => one.fin === fin && (fin !== null || one.debut === debut));
  if (exact >= 0) return exact;
  if (fin === null) return debut === null ? alike((one) => statutOfLecture(one) === 'Lue') : -1;
  return alike((one) => one.fin !== null && !isAfter(one.fin, fin) && !isAfter(fin, one.fin));
}
