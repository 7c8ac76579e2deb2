import { livresView } from '../livres/view.svelte.ts';
import { m } from '$lib/paraglide/messages';
import { isbnError } from '$lib/format/code-errors';
import { TextEntry, type FieldDescription } from '$lib/ui/form/text-entry.svelte';
import { textField } from '$lib/ui/form/text-field';
import { emptyToNull, MAX_LENGTHS } from '#shared/fields';
import { formatIsbn } from '#shared/isbn-format';
import type { Place, PlaceSaisie } from '#shared/series';
import { normaliser, titreKey } from '#shared/text';

/** The fields of a place that are one text each. */
const PLACE_FIELDS: readonly FieldDescription<Partial<Place>, PlaceSaisie>[] = [
  textField('numero', { label: m.field_numero, maxlength: MAX_LENGTHS.code }),
  {
    key: 'titre',
    label: m.field_titre,
    maxlength: MAX_LENGTHS.titre,
    read: ({ titre }) => titre ?? '',
    write: (titre) => ({ titre }),
    check: (titre) => (titre.trim() === '' ? m.volume_titre_required() : undefined),
  },
  textField('auteur', { label: m.field_auteur, half: true, maxlength: MAX_LENGTHS.nom }),
  {
    key: 'isbn',
    label: m.field_isbn,
    half: true,
    maxlength: MAX_LENGTHS.code,
    read: ({ isbn }) => (isbn ? formatIsbn(isbn) : ''),
    write: (isbn) => ({ isbn }),
    check: isbnError,
  },
];

/** A place's row as plain data: what a form is compared by, and kept as. */
export interface PlaceDraft {
  /** The id of the place in the series; `null` for a new one. */
  readonly id: number | null;
  readonly livreId: number | null;
  /** By the keys of the fields. */
  readonly texts: Readonly<Record<string, string>>;
}

export const toDraft = (place: Partial<Place>): PlaceDraft => ({
  id: place.id ?? null,
  livreId: place.livreId ?? null,
  texts: Object.fromEntries(PLACE_FIELDS.map(({ key, read }) => [key, read(place)])),
});

let rowCount = 0;

/** A place's row of the form: what is typed, and the book that was found for it. */
export class PlaceEntry extends TextEntry<Partial<Place>, PlaceSaisie> {
  /** Tells the rows of all forms apart, in the document too. */
  readonly rowId = `place-row-${++rowCount}`;
  readonly id: number | null;
  livreId = $state<number | null>(null);
  /** The key of a title whose book was taken away by hand: it is not linked again by itself. */
  #unlinkedKey = '';

  constructor({ id, livreId, texts }: PlaceDraft) {
    super(PLACE_FIELDS, null, { titre: '' });
    this.id = id;
    this.livreId = livreId;
    this.texts = { ...texts };
  }

  /** The row of a place, or a new one that starts with what is given. */
  static of(place: Partial<Place>): PlaceEntry {
    return new PlaceEntry(toDraft(place));
  }

  get draft(): PlaceDraft {
    return { id: this.id, livreId: this.livreId, texts: { ...this.texts } };
  }

  /** The id of the input of the title, where the keyboard goes from row to row. */
  get titreInputId(): string {
    return `${this.rowId}-titre`;
  }

  focusTitre(): void {
    document.getElementById(this.titreInputId)?.focus();
  }

  get titre(): string {
    return this.text('titre');
  }

  /** True while nothing is typed besides the number, which may be a proposal. */
  override get isBlank(): boolean {
    return (
      this.livreId === null &&
      this.fields.every(({ key }) => key === 'numero' || this.text(key).trim() === '')
    );
  }

  get isManquant(): boolean {
    return this.livreId === null && !this.isBlank;
  }

  linkLivre(livreId: number, titre: string): void {
    this.livreId = livreId;
    this.setText('titre', titre);
    this.errors = {};
  }

  unlinkLivre(): void {
    this.livreId = null;
    this.#unlinkedKey = titreKey(this.titre);
  }

  /** Links the one owned book of the title that was typed; of two, a person chooses. */
  linkMatchingLivre(): void {
    if (this.livreId !== null || normaliser(this.titre) === '') return;
    const key = titreKey(this.titre);
    if (key === this.#unlinkedKey) return;
    const [livre, other] = livresView
      .search({ recherche: key })
      .filter(({ titre }) => titreKey(titre) === key);
    if (livre && other === undefined) this.livreId = livre.id;
  }

  /**
   * @param known the ids of the places that the series has at this moment: a place that another
   *   device has deleted is sent as a new one
   * @param commonAuteur the author of a missing volume that names none
   */
  override toSaisie(known: ReadonlySet<number> = new Set(), commonAuteur = ''): PlaceSaisie {
    return {
      ...super.toSaisie(),
      id: this.id !== null && known.has(this.id) ? this.id : null,
      livreId: this.livreId,
      auteur: emptyToNull(this.text('auteur')) ?? (this.livreId === null ? commonAuteur : null),
    };
  }

  protected override hasField(key: string): boolean {
    return key === 'livreId' || super.hasField(key);
  }
}
