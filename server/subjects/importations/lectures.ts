import { statutOfLecture, type Notation, type Position } from '#shared/lectures';
import { titreKey } from '#shared/text';
import type { Transaction } from '#server/plumbing/database/connection';
import type { PreservedId, RestoredRecord } from '#server/plumbing/records/kind';
import { insertLecture, listLectures, updateLecture, type Oeuvre } from '#server/subjects/lectures';

/** A reading of a file; of a household's export with the id that it had. */
export type LectureEntry = Oeuvre & Notation & { readonly exportedId?: number };
type LectureDates = Pick<Notation, 'debut' | 'fin' | 'abandon'>;

/** Without the review's text: a hundred thousand are in memory during an import. */
interface KnownLecture extends Omit<LectureEntry, 'avis' | 'exportedId' | keyof Position> {
  readonly id: number;
  readonly hasAvis: boolean;
  readonly hasPosition: boolean;
}

/** A reader's readings, for comparison with those of a file (docs/rules.md § 55): importing twice adds none twice. */
export class KnownLectures {
  readonly #tx: Transaction;
  readonly #utilisateur: string;
  readonly #ownId: PreservedId;
  /** Readings without a match so far, by name. */
  readonly #known = new Map<string, LecturesOfName>();

  constructor(tx: Transaction, utilisateur: string, ownId: PreservedId) {
    this.#tx = tx;
    this.#utilisateur = utilisateur;
    this.#ownId = ownId;
    for (const { avis, page, pourcent, pageJour: _, ...lecture } of listLectures(tx, utilisateur))
      this.#note({
        ...lecture,
        hasAvis: avis !== null,
        hasPosition: isSomewhere({ page, pourcent }),
      });
  }

  addAll(lectures: readonly LectureEntry[]): RestoredRecord[] {
    // Each known reading matches at most one imported reading, the surest pairs first.
    const same = new Map<LectureEntry, KnownLecture>();
    const coming = lectures.map((lecture) => ({ lecture, keys: keysNear(lecture) }));
    for (const sameness of SAMENESS)
      for (const { lecture, keys } of coming) {
        const known = same.has(lecture) ? undefined : this.#find(lecture, keys, sameness);
        if (known === undefined) continue;
        same.set(lecture, known);
        for (const key of keysOf(known)) this.#known.get(key)?.delete(known);
      }
    return lectures.flatMap((lecture) => {
      const known = same.get(lecture);
      return known === undefined ? [this.#add(lecture)] : this.#complete(known, lecture);
    });
  }

  #find(
    lecture: LectureEntry,
    keys: readonly string[],
    { slotsNear, isSame }: Sameness,
  ): KnownLecture | undefined {
    const slots = slotsNear(lecture);
    for (const key of keys)
      for (const slot of slots)
        for (const known of this.#known.get(key)?.in(slot) ?? [])
          if (isSame(known, lecture)) return known;
    return undefined;
  }

  #add({
    livreId,
    titre,
    auteurs,
    isbn,
    debut,
    fin,
    abandon,
    note,
    avis,
    page,
    pourcent,
    pageJour,
    exportedId,
  }: LectureEntry): RestoredRecord {
    const lecture = { livreId, titre, auteurs, isbn, debut, fin, abandon, note };
    const own = exportedId === undefined ? null : this.#ownId('Lecture', exportedId);
    const position = { page, pourcent, pageJour };
    const columns = { ...lecture, avis, ...position };
    const id = insertLecture(this.#tx, this.#utilisateur, columns, own);
    this.#note({ ...lecture, id, hasAvis: avis !== null, hasPosition: isSomewhere(position) });
    return { id };
  }

  #complete(
    known: KnownLecture,
    { livreId, debut, fin, note, avis, page, pourcent, pageJour }: LectureEntry,
  ): RestoredRecord[] {
    const { id, hasAvis } = known;
    const given = {
      ...(known.livreId === null && livreId !== null && { livreId }),
      ...(isUndated(known) && fin !== null && { fin, ...(debut !== null && { debut }) }),
      ...(known.note === null && note !== null && { note }),
    };
    const position = { page, pourcent, pageJour };
    const hasPosition = known.hasPosition || isSomewhere(position);
    const changes = {
      ...given,
      ...(!hasAvis && avis !== null && { avis }),
      ...(hasPosition && !known.hasPosition && position),
    };
    this.#note({ ...known, ...given, hasAvis: hasAvis || avis !== null, hasPosition });
    if (Object.keys(changes).length === 0) return [];
    updateLecture(this.#tx, id, changes);
    return [{ id, isFilled: true }];
  }

  #note(lecture: KnownLecture): void {
    for (const key of keysOf(lecture)) {
      const known = this.#known.get(key) ?? new LecturesOfName();
      known.add(lecture);
      this.#known.set(key, known);
    }
  }
}

const isSomewhere = ({ page, pourcent }: Pick<Position, 'page' | 'pourcent'>): boolean =>
  page !== null || pourcent !== null;

/** Up to so many readings are scanned; more are indexed by slot. */
const MAX_GONE_THROUGH = 8;

/** The readings of one name: usually one, sometimes thousands. */
class LecturesOfName {
  /** Replaced at each change: an array that grows reserves room for sixteen more. */
  #few: readonly KnownLecture[] = [];
  #bySlot: Map<string, Set<KnownLecture>> | null = null;

  add(lecture: KnownLecture): void {
    if (this.#bySlot !== null) {
      noteSlots(this.#bySlot, lecture);
      return;
    }
    this.#few = [...this.#few, lecture];
    if (this.#few.length <= MAX_GONE_THROUGH) return;
    this.#bySlot = new Map();
    for (const each of this.#few) noteSlots(this.#bySlot, each);
    this.#few = [];
  }

  delete(lecture: KnownLecture): void {
    this.#few = this.#few.filter((each) => each !== lecture);
    if (this.#bySlot !== null)
      for (const slot of slotsOf(lecture)) this.#bySlot.get(slot)?.delete(lecture);
  }

  /** The readings in a slot, in the order of insertion. */
  in(slot: string): Iterable<KnownLecture> {
    return (
      this.#bySlot?.get(slot) ?? this.#few.filter((lecture) => slotsOf(lecture).includes(slot))
    );
  }
}

function noteSlots(bySlot: Map<string, Set<KnownLecture>>, lecture: KnownLecture): void {
  for (const slot of slotsOf(lecture)) {
    const known = bySlot.get(slot);
    if (known === undefined) bySlot.set(slot, new Set([lecture]));
    else known.add(lecture);
  }
}

const nameOf = ({ titre, auteurs }: Oeuvre): string => `${titreKey(titre)}\n${auteurs.join('\n')}`;

/** The keys of a known reading: its title, and its book or « without a book ». */
const keysOf = (lecture: Oeuvre): string[] => [
  nameOf(lecture),
  lecture.livreId === null ? `sans livre ${nameOf(lecture)}` : `livre ${lecture.livreId}`,
];

/** The keys for an imported reading: its book, else its title among readings without a book. */
const keysNear = (lecture: Oeuvre): string[] =>
  lecture.livreId === null
    ? [nameOf(lecture)]
    : [`livre ${lecture.livreId}`, `sans livre ${nameOf(lecture)}`];

/** The year, the month and the day that a date lies within; the date itself is last. */
const prefixesOf = (date: string): string[] =>
  [4, 7, 10].filter((length) => length <= date.length).map((length) => date.slice(0, length));

/** The slots of a known reading: each of its dates, and all together. */
function slotsOf(lecture: LectureDates): string[] {
  const dated = Object.entries({ debut: lecture.debut, fin: lecture.fin }).flatMap(
    ([field, date]) =>
      date === null
        ? []
        : [`${field} ${date}`, ...prefixesOf(date).map((prefix) => `${field} in ${prefix}`)],
  );
  return [
    'any',
    ...dated,
    ...(isOpen(lecture) ? ['open'] : []),
    ...(isUndated(lecture) ? ['undated'] : []),
  ];
}

const isUndated = ({ debut, fin }: LectureDates): boolean => debut === null && fin === null;
const isOpen = (lecture: LectureDates): boolean => statutOfLecture(lecture) === 'EnCours';

/** How an imported reading is matched: the slots to search, and the comparison. */
interface Sameness {
  readonly slotsNear: (read: LectureEntry) => readonly string[];
  readonly isSame: (known: KnownLecture, read: LectureEntry) => boolean;
}

/** The slots of compatible dates, the equal date first. */
const slotsAgreeing = (field: 'debut' | 'fin', date: string | null): string[] =>
  date === null
    ? []
    : [
        `${field} in ${date}`,
        ...prefixesOf(date)
          .slice(0, -1)
          .reverse()
          .map((prefix) => `${field} ${prefix}`),
      ];

/** The surest first. */
const SAMENESS: readonly Sameness[] = [
  {
    slotsNear: ({ debut, fin }) => [fin ? `fin ${fin}` : debut ? `debut ${debut}` : 'undated'],
    isSame: (known, read) =>
      known.abandon === read.abandon && known.fin === read.fin && known.debut === read.debut,
  },
  {
    slotsNear: ({ fin }) => (fin === null ? [] : [`fin ${fin}`]),
    isSame: (known, read) => known.abandon === read.abandon,
  },
  {
    slotsNear: ({ fin }) => slotsAgreeing('fin', fin),
    isSame: (known, read) => known.abandon === read.abandon,
  },
  // A reading that was open in the file may have ended here.
  {
    slotsNear: (read) => (isOpen(read) ? [...slotsAgreeing('debut', read.debut), 'open'] : []),
    isSame: () => true,
  },
  // A reading without a date may be any.
  {
    slotsNear: (read) => (isUndated(read) ? ['any'] : []),
    isSame: (known, read) => known.abandon === read.abandon && !isOpen(known),
  },
  {
    slotsNear: (read) => (isOpen(read) ? [] : ['undated']),
    isSame: (known, read) =>
      known.abandon === read.abandon &&
      (known.note === null || read.note === null || known.note === read.note),
  },
];
