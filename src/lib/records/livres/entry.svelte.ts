import { untrack } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import { m } from '$lib/paraglide/messages';
import { COVER_URL_FIELD, ISBN_FIELD, textField, titreField } from '$lib/ui/form/fields';
import {
  type FieldDescription,
  joinTokens,
  type Prefilled,
  splitTokens,
  TextEntry,
} from '$lib/ui/form/text-entry.svelte';
import { MAX_LENGTHS } from '#shared/fields';
import {
  type Format,
  FORMATS,
  type LivreDocument,
  type LivreSaisi,
  type LivreSaisiEnSerie,
  MAX_ANNEE,
  MAX_NOMBRE_PAGES,
  type SerieDuLivre,
  type TypeDocument,
  TYPES_DOCUMENT,
} from '#shared/livres';
import { Refusal } from '#shared/refusals';
import { proposeSerie } from '#shared/series-titres';
import { normaliser, textKey } from '#shared/text';
import { seriesView } from '../series/view.svelte.ts';
import { THEMES_FIELD } from '../themes/fields.ts';
import { formatLabels, typeDocumentLabels } from './view.svelte.ts';

/** The fields of a book, in the order of its form (docs/rules.md § 9). */
export const LIVRE_FIELDS: readonly FieldDescription<LivreDocument, LivreSaisi>[] = [
  ISBN_FIELD,
  titreField(m.livre_titre_required),
  {
    key: 'auteurs',
    label: m.field_auteurs,
    tokens: true,
    read: ({ auteurs }) => joinTokens(auteurs.map(({ nom }) => nom)),
    write: (text) => ({ auteurs: splitTokens(text) }),
    display: (text) => splitTokens(text).join(', '),
  },
  {
    key: 'format',
    label: m.field_format,
    half: true,
    options: FORMATS.map((value) => ({ value, label: formatLabels[value] })),
    read: ({ format }) => format,
    write: (text) => ({ format: formatOf(text) }),
    display: (text) => formatLabels[formatOf(text)](),
    format: (value) => formatLabels[formatOf(value)](),
  },
  {
    key: 'typeDocument',
    label: m.field_type,
    half: true,
    options: TYPES_DOCUMENT.map((value) => ({ value, label: typeDocumentLabels[value] })),
    read: ({ typeDocument }) => typeDocument,
    write: (text) => ({ typeDocument: typeDocumentOf(text) }),
    display: (text) => typeDocumentLabels[typeDocumentOf(text)](),
    format: (value) => typeDocumentLabels[typeDocumentOf(value)](),
  },
  THEMES_FIELD,
  textField('editeur', { label: m.field_editeur, maxlength: MAX_LENGTHS.nom }),
  {
    key: 'annee',
    label: m.field_annee,
    half: true,
    numeric: true,
    read: ({ annee }) => String(annee ?? ''),
    write: (text) => ({ annee: parseNumber(text) }),
    check: anneeError,
  },
  {
    key: 'nombrePages',
    label: m.field_pages,
    half: true,
    numeric: true,
    read: ({ nombrePages }) => String(nombrePages ?? ''),
    write: (text) => ({ nombrePages: parseNumber(text) }),
    check: nombrePagesError,
    refusals: ['NOMBRE_PAGES_INVALIDE'],
  },
  COVER_URL_FIELD,
  // The place of the book in its first series, see `toSaisie`.
  {
    key: 'serie',
    label: m.field_serie,
    half: true,
    maxlength: MAX_LENGTHS.titre,
    read: ({ id }) => seriesView.placesOfLivre(id)[0]?.serie.titre ?? '',
    write: () => ({}),
  },
  {
    key: 'numero',
    label: m.field_numero,
    half: true,
    maxlength: MAX_LENGTHS.code,
    read: ({ id }) => seriesView.placesOfLivre(id)[0]?.place.numero ?? '',
    write: () => ({}),
  },
];

/** Which series proposed by titles were taken or left, by their normalised titles. */
export type SerieDecisions = Map<string, boolean>;

/** A series that a book's title tells, as its form shows it. */
interface ProposedSerie {
  readonly titre: string;
  readonly numero: string;
  /** The household has no series of this title yet. */
  readonly isNew: boolean;
}

/** A book's form: what is typed, as it is typed. */
export class LivreEntry extends TextEntry<LivreDocument, LivreSaisi> {
  readonly #id: number | null;
  readonly #decisions: SerieDecisions;

  readonly #proposal = $derived.by((): ProposedSerie | null => {
    if (super.text('serie').trim() !== '') return null;
    const tome = proposeSerie(super.text('titre'), seriesView.all);
    if (tome === null) return null;
    const { known, serie, numero } = tome;
    return { titre: known?.titre ?? serie, numero, isNew: known === null };
  });

  /**
   * @param livre the book to edit, none for a new one
   * @param decisions shared by the books of one sitting, so that a series is left once
   */
  constructor(
    livre: LivreDocument | null = null,
    decisions: SerieDecisions = new SvelteMap<string, boolean>(),
  ) {
    super(LIVRE_FIELDS, livre, { titre: '', format: 'Physique' });
    this.#id = livre?.id ?? null;
    this.#decisions = decisions;
  }

  /** The series that the title tells; `null` where none does, or one is typed. */
  get proposedSerie(): ProposedSerie | null {
    return this.#proposal;
  }

  /** Whether the book goes into the proposed series: a new one does unless that is refused. */
  get takesProposal(): boolean {
    if (this.#proposal === null) return false;
    return this.#decisions.get(normaliser(this.#proposal.titre)) ?? this.#id === null;
  }

  set takesProposal(isTaken: boolean) {
    if (this.#proposal !== null) this.#decisions.set(normaliser(this.#proposal.titre), isTaken);
  }

  override text(key: string): string {
    const own = super.text(key);
    if (own !== '' || (key !== 'serie' && key !== 'numero') || !this.takesProposal) return own;
    return (key === 'serie' ? this.#proposal?.titre : this.#proposal?.numero) ?? '';
  }

  override setText(key: string, text: string): void {
    if (key === 'serie' || key === 'numero') untrack(() => this.#settle(key, text));
    super.setText(key, text);
    if (key === 'format') untrack(() => this.#settlePages());
  }

  override prefill(prefilled: Prefilled): string[] {
    const kept = super.prefill(prefilled);
    this.#settlePages();
    return kept;
  }

  /** An ebook never takes the pages of the printed record (docs/rules.md § 9). */
  #settlePages(): void {
    const pages = this.prefilled.texts['nombrePages'];
    if (pages === undefined || this.isWritten('nombrePages')) return;
    super.setText('nombrePages', this.text('format') === 'Numerique' ? '' : pages);
  }

  /** What a person types of a series takes the place of the proposed one; no text at all refuses it. */
  #settle(key: 'serie' | 'numero', text: string): void {
    if (!this.takesProposal || text === this.text(key)) return;
    if (key === 'serie' && text.trim() === '') this.takesProposal = false;
    else for (const each of ['numero', 'serie']) super.setText(each, this.text(each));
  }

  /** The request; with the place of the book where the form changes it. */
  override toSaisie(): LivreSaisiEnSerie {
    const [serie, numero] = [this.text('serie').trim(), this.text('numero').trim()];
    const place = placeSaisie(this.#id, { serie, numero });
    return { ...super.toSaisie(), ...(place && { place }) };
  }
}

/** A typed number; `null` for an empty text, `NaN` for what is no whole number. */
function parseNumber(text: string): number | null {
  const digits = text.replace(/\s/g, '').replace('−', '-');
  if (digits === '') return null;
  return /^-?\d+$/.test(digits) ? Number(digits) : Number.NaN;
}

function anneeError(text: string): string | undefined {
  const annee = parseNumber(text);
  if (annee === null) return undefined;
  if (Number.isNaN(annee)) return m.annee_invalid();
  return Math.abs(annee) > MAX_ANNEE ? m.annee_range() : undefined;
}

function nombrePagesError(text: string): string | undefined {
  const count = parseNumber(text);
  if (count === null) return undefined;
  if (Number.isNaN(count) || count < 1) return new Refusal('NOMBRE_PAGES_INVALIDE').message;
  return count > MAX_NOMBRE_PAGES
    ? m.pages_too_many({ max: MAX_NOMBRE_PAGES.toLocaleString('fr') })
    : undefined;
}

const formatOf = (text: string): Format => FORMATS.find((format) => format === text) ?? 'Physique';

const typeDocumentOf = (text: string): TypeDocument =>
  TYPES_DOCUMENT.find((type) => type === text) ?? 'NonPrecise';

/** A book's place in a series, as a person types it. */
interface SerieChoice {
  /** The title of a series, known or not; blank for none. */
  readonly serie: string;
  readonly numero: string;
}

/**
 * Where a form moves a book from the first place that it holds; `undefined` where it stands there.
 *
 * @param livreId `null` for a new book
 */
function placeSaisie(
  livreId: number | null,
  { serie: titre, numero }: SerieChoice,
): SerieDuLivre | undefined {
  const current = livreId === null ? undefined : seriesView.placesOfLivre(livreId)[0];
  if (current === undefined) return titre === '' ? undefined : { serie: { titre }, numero };
  const { serie, place } = current;
  if (titre === '') return { serie: null, de: place.id };
  if (textKey(titre) !== textKey(serie.titre)) return { serie: { titre }, numero, de: place.id };
  if (numero === (place.numero ?? '')) return undefined;
  return { serie: { id: serie.id }, numero, de: place.id };
}
