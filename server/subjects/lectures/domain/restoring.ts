import { isAfter, statutOfLecture, type Lecture, type Notation } from '#shared/lectures';
import { titreKey } from '#shared/text';
import type { Transaction } from '#server/plumbing/database/transaction';
import type { Restored, Restoring } from '#server/plumbing/records/kind';
import * as store from '../store/lectures.ts';

/** A reading comes back once: one of the same book and the same end is there already (docs/rules.md § 55). */
export const lectureRestoring: Restoring<Lecture> = {
  add(database, lectures, { utilisateur, idsOf }) {
    if (utilisateur === null) return [];
    return new KnownLectures(database, utilisateur).addAll(
      lectures.map((lecture) => ({
        ...lecture,
        livreId: idsOf('livres').get(lecture.livreId ?? 0) ?? null,
      })),
    );
  },
  remove: store.deleteLecture,
  fields: ['debut', 'fin', 'abandon', 'note', 'avis'],
  together: ['debut', 'fin'],
};

type Read = store.Oeuvre & Notation;
interface KnownLecture extends Read {
  readonly id: number;
}

/** A reader's readings while more are brought in. */
export class KnownLectures {
  readonly #database: Transaction;
  readonly #utilisateur: string;
  /** By their book and by their name. */
  readonly #known = new Map<string, KnownLecture[]>();

  constructor(database: Transaction, utilisateur: string) {
    this.#database = database;
    this.#utilisateur = utilisateur;
    for (const lecture of store.listLectures(database, utilisateur)) this.#note(lecture);
  }

  /** Adds the readings that are not there, and gives those that are what they lack. */
  addAll(lectures: readonly Read[]): Restored[] {
    // Each that is there answers for one of those that come: the surest first.
    const same = new Map<Read, KnownLecture>();
    const taken = new Set<KnownLecture>();
    for (const isSame of SAMENESS)
      for (const lecture of lectures.filter((one) => !same.has(one))) {
        const known = this.#ofOeuvre(lecture).find(
          (one) => !taken.has(one) && isSame(one, lecture),
        );
        if (known === undefined) continue;
        same.set(lecture, known);
        taken.add(known);
      }
    return lectures.flatMap((lecture) => {
      const known = same.get(lecture);
      return known === undefined ? [this.#add(lecture)] : this.#complete(known, lecture);
    });
  }

  /** Those of the same book, then those of that name which are of no other book. */
  #ofOeuvre(oeuvre: store.Oeuvre): KnownLecture[] {
    const named = this.#known.get(nameOf(oeuvre)) ?? [];
    if (oeuvre.livreId === null) return named;
    return [
      ...(this.#known.get(String(oeuvre.livreId)) ?? []),
      ...named.filter(({ livreId }) => livreId === null),
    ];
  }

  #add({ livreId, titre, auteurs, isbn, debut, fin, abandon, note, avis }: Read): Restored {
    const lecture = { livreId, titre, auteurs, isbn, debut, fin, abandon, note, avis };
    const id = store.insertLecture(this.#database, this.#utilisateur, lecture);
    this.#note({ ...lecture, id });
    return { id };
  }

  #complete(known: KnownLecture, { livreId, debut, fin, note, avis }: Read): Restored[] {
    const { id } = known;
    const given = {
      ...(known.livreId === null && livreId !== null && { livreId }),
      ...(isUndated(known) && fin !== null && { fin, ...(debut !== null && { debut }) }),
      ...(known.note === null && note !== null && { note }),
      ...(known.avis === null && avis !== null && { avis }),
    };
    if (Object.keys(given).length === 0) return [];
    // It may be of a book that has gone, and is again once this import is undone.
    const gone = store.keptLivreId(this.#database, id);
    store.updateLecture(this.#database, id, given);
    Object.assign(known, given);
    const fields = Object.entries(given).map(([field, value]) => ({ field, value: String(value) }));
    return [
      {
        id,
        given: fields.map((one) => (one.field === 'livreId' ? { ...one, former: gone } : one)),
      },
    ];
  }

  #note(lecture: KnownLecture): void {
    const { livreId } = lecture;
    for (const key of [nameOf(lecture), ...(livreId === null ? [] : [String(livreId)])]) {
      const known = this.#known.get(key);
      if (known === undefined) this.#known.set(key, [lecture]);
      else known.push(lecture);
    }
  }
}

const nameOf = ({ titre, auteurs }: store.Oeuvre): string =>
  `${titreKey(titre)}\n${auteurs.join('\n')}`;

const isUndated = ({ debut, fin }: Notation): boolean => debut === null && fin === null;
const isOpen = (lecture: Notation): boolean => statutOfLecture(lecture) === 'EnCours';
/** Whether two dates are the same, as far as both are known. */
const agree = (a: string | null, b: string | null): boolean =>
  a !== null && b !== null && !isAfter(a, b) && !isAfter(b, a);

/** Whether one that is there is one that comes: the surest first. */
const SAMENESS: readonly ((known: KnownLecture, read: Read) => boolean)[] = [
  (known, read) =>
    known.abandon === read.abandon && known.fin === read.fin && known.debut === read.debut,
  (known, read) => known.abandon === read.abandon && read.fin !== null && known.fin === read.fin,
  (known, read) => known.abandon === read.abandon && agree(known.fin, read.fin),
  // One that was open in the file may have ended here.
  (known, read) => isOpen(read) && (agree(known.debut, read.debut) || isOpen(known)),
  // One without a date is any.
  (known, read) => known.abandon === read.abandon && isUndated(read) && !isOpen(known),
  (known, read) =>
    known.abandon === read.abandon &&
    isUndated(known) &&
    !isOpen(read) &&
    (known.note === null || read.note === null || known.note === read.note),
];
