import { dayOf, now } from '$lib/format/dates';
import { m } from '$lib/paraglide/messages';
import { emplacementsView } from '$lib/records/emplacements/view.svelte';
import { LectureEntry } from '$lib/records/lectures/kind';
import { perIdentity } from '$lib/sync/identity.svelte';
import { HouseholdNote } from '$lib/sync/household-note.svelte';
import type { EmpruntSaisi } from '#shared/livres';
import { type Statut, STATUTS } from '#shared/statuts';

/** The owner of the book: the household's, a wish, borrowed, or only read. */
export const WHOSE = ['aNous', 'souhait', 'emprunte', 'ailleurs'] as const;
export type Whose = (typeof WHOSE)[number];

/** The reading status; `null` without one. */
export type ReadingStatut = Statut | null;

interface StoredChoices {
  readonly whose: Whose;
  readonly nom: string;
  readonly aRendre: string;
  readonly emplacementId: number | null;
  readonly statut: ReadingStatut;
}

const NOTHING: StoredChoices = {
  whose: 'aNous',
  nom: '',
  aRendre: '',
  emplacementId: null,
  statut: null,
};

/** A new reading of a book without an id yet. */
export const newReading = () => new LectureEntry(null, 0);

const kept = new HouseholdNote<StoredChoices>('ajouter.choix');

/**
 * The three chips of « Ajouter »: owner, location and reading status. They apply to the following books; the last
 * choice is stored on this device.
 */
class AddChoices {
  /** The choice of one visit, such as when coming from the wishes. */
  #visit = $state.raw<Whose | null>(null);
  /** The present visit's screen: a new screen begins before the former one ends. */
  #visitor: symbol | null = null;
  /** A path in words that is typed; `null` for the location that was used last. */
  #path = $state.raw<string | null>(null);
  /** When the book was read, its stars and review: for this book only. */
  reading = $state.raw(newReading());
  errors = $state.raw<Readonly<Record<string, string>>>({});

  get #kept(): StoredChoices {
    const [choices] = kept.value;
    return { ...NOTHING, ...choices };
  }

  #keep(changed: Partial<StoredChoices>): void {
    kept.change(([choices]) => [{ ...NOTHING, ...choices, ...changed }]);
  }

  /**
   * Begins a visit.
   *
   * @param whose the initial choice; `null` for the last choice
   * @returns ends it
   */
  begin(whose: Whose | null): () => void {
    const visitor = Symbol('visit');
    this.#visitor = visitor;
    this.#visit = whose;
    return () => {
      if (this.#visitor === visitor) this.#visit = null;
    };
  }

  get whose(): Whose {
    return this.#visit ?? this.#kept.whose;
  }

  set whose(whose: Whose) {
    this.errors = {};
    if (this.#visit === null) this.#keep({ whose });
    else this.#visit = whose;
  }

  /** The lender of a borrowed book. */
  get nom(): string {
    return this.#kept.nom;
  }

  set nom(nom: string) {
    this.errors = {};
    this.#keep({ nom });
  }

  /** Until when a book is borrowed; '' where nothing is agreed, or that day has passed. */
  get aRendre(): string {
    const { aRendre } = this.#kept;
    return aRendre < dayOf(now()) ? '' : aRendre;
  }

  set aRendre(aRendre: string) {
    this.#keep({ aRendre });
  }

  /** The location as a typed path; '' for none. */
  get emplacement(): string {
    return this.#path ?? emplacementsView.pathText(this.#kept.emplacementId);
  }

  set emplacement(path: string) {
    this.#path = path;
    if (path.trim() === '') this.#keep({ emplacementId: null });
  }

  /** Stores the id of an added book's location: its path may name another one tomorrow. */
  keepEmplacement(emplacementId: number | null): void {
    if (emplacementId !== this.#kept.emplacementId) this.#keep({ emplacementId });
  }

  get statut(): ReadingStatut {
    return this.#kept.statut;
  }

  set statut(statut: ReadingStatut) {
    this.#keep({ statut });
  }

  get emprunt(): EmpruntSaisi | null {
    const { nom, aRendre } = this;
    if (this.whose !== 'emprunte' || nom.trim() === '') return null;
    return { nom: nom.trim(), depuis: dayOf(now()), aRendre: aRendre || null };
  }

  /** Whether a reading is noted with the book. */
  get isRead(): boolean {
    return this.whose === 'ailleurs' || (this.whose !== 'souhait' && this.statut === STATUTS.lu);
  }

  /** Shows errors; true without any. */
  check(): boolean {
    const isNamed = this.whose !== 'emprunte' || this.nom.trim() !== '';
    this.errors = isNamed ? {} : { nom: m.emprunt_nom_required() };
    const isReadRight = !this.isRead || this.reading.check();
    return isNamed && isReadRight;
  }

  /** Clears the values of a single book. */
  forgetBook(): void {
    this.reading = newReading();
  }
}

export const choices = perIdentity(() => new AddChoices());
