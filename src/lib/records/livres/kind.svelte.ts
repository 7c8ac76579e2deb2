import { intlLocale } from '$lib/format/locale';
import { MAX_LENGTHS } from '#shared/fields';
import * as fusions from '#shared/fusions';
import * as endpoints from '#shared/livres';
import {
  type Format,
  FORMATS,
  LIVRE_TEXTS,
  type LivreDocument,
  type LivreSaisi,
  type LivreSaisiEnSerie,
  MAX_ANNEE,
  MAX_NOMBRE_PAGES,
  type SerieDuLivre,
  type TypeDocument,
  TYPES_DOCUMENT,
} from '#shared/livres';
import { objectKeys } from '#shared/object-keys';
import type { Candidat } from '#shared/recherche';
import { Refusal } from '#shared/refusals';
import { proposeSerie } from '#shared/series-titres';
import * as statuts from '#shared/statuts';
import { type StatutOrNull, STATUTS } from '#shared/statuts';
import { normaliser, textKey } from '#shared/text';
import type { Batch } from '$lib/api/feedback.svelte';
import { unsafeCast } from '$lib/api/unsafe-cast';
import { operation } from '$lib/api/write.svelte';
import { href } from '$lib/format/address';
import { dayOf, formatDay } from '$lib/format/dates';
import { formatPartialDate } from '$lib/format/partial-date';
import { m } from '$lib/paraglide/messages';
import { COVER_URL_FIELD, ISBN_FIELD, textField, titreField } from '$lib/ui/form/fields';
import {
  type FieldDescription,
  joinTokens,
  type Prefill,
  splitTokens,
  TextEntry,
} from '$lib/ui/form/text-entry.svelte';
import type { ModificationList, EditableKind, ScreenKind } from '$lib/ui/kind';
import BookX from '@lucide/svelte/icons/book-x';
import HandHelping from '@lucide/svelte/icons/hand-helping';
import Pencil from '@lucide/svelte/icons/pencil';
import { untrack } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import { AUTEURS_FIELD } from '../auteurs/kind.ts';
import { emplacementsView } from '../emplacements/view.svelte.ts';
import { rewrite, type RewriteOptions } from '../rewrite.ts';
import { TOMES_FIELD } from '../series/tomes-field.ts';
import { seriesView } from '../series/view.svelte.ts';
import { THEMES_FIELD } from '../themes/view.svelte.ts';
import { DETAILS_FIELD } from './details.ts';
import {
  formatLabels,
  isCodeTitled,
  livresView,
  statutLabel,
  typeDocumentLabels,
} from './view.svelte.ts';

/** In the order of the form (docs/rules.md § 9). */
const LIVRE_FIELDS: readonly FieldDescription<LivreDocument, LivreSaisi>[] = [
  ISBN_FIELD,
  titreField(m.livre_titre_required),
  {
    ...AUTEURS_FIELD,
    key: 'auteurs',
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
  ...objectKeys(LIVRE_TEXTS).map((name) => {
    const { label, maxLength } = LIVRE_TEXTS[name];
    return textField(name, { label, maxlength: maxLength });
  }),
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
  // For a borrowed book, see `toSaisie`.
  {
    key: 'empruntNom',
    label: m.field_emprunte_a,
    half: true,
    maxlength: MAX_LENGTHS.nom,
    read: ({ emprunteA }) => emprunteA?.nom ?? '',
    write: () => ({}),
  },
  {
    key: 'empruntRendre',
    label: m.field_a_rendre,
    half: true,
    type: 'date',
    read: ({ emprunteA }) => emprunteA?.aRendre ?? '',
    write: () => ({}),
    display: formatPartialDate,
  },
  // Not shown in the form: a book borrowed by the form is borrowed today.
  {
    key: 'empruntDepuis',
    label: m.table_emprunte_le,
    read: ({ emprunteA }) => emprunteA?.depuis ?? '',
    write: () => ({}),
    display: formatPartialDate,
  },
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
    label: m.field_tome,
    half: true,
    maxlength: MAX_LENGTHS.code,
    read: ({ id }) => seriesView.placesOfLivre(id)[0]?.place.numero ?? '',
    write: () => ({}),
  },
  {
    ...TOMES_FIELD,
    read: ({ id }) => seriesView.placesOfLivre(id)[0]?.place.tomes ?? '',
    write: () => ({}),
  },
  DETAILS_FIELD,
];

/** The decisions about proposed series, by normalised title. */
export type SerieDecisions = Map<string, boolean>;

interface ProposedSerie {
  readonly titre: string;
  readonly numero: string;
  /** True where the household has no series of this title yet. */
  readonly isNew: boolean;
}

export class LivreEntry extends TextEntry<LivreDocument, LivreSaisi> {
  readonly id: number | null;
  readonly #emplacementId: number | null;
  readonly #decisions: SerieDecisions;

  /** `null` if the title has no series, or the person has typed one. */
  readonly proposedSerie = $derived.by((): ProposedSerie | null => {
    if (super.text('serie').trim() !== '') return null;
    const tome = proposeSerie(super.text('titre'), seriesView.all());
    if (tome === null) return null;
    const { known, serie, numero } = tome;
    return { titre: known?.titre ?? serie, numero, isNew: known === null };
  });

  /**
   * @param livre the book to edit, none for a new one
   * @param decisions shared by the books of a session, so that a series is declined once
   */
  constructor(
    livre: LivreDocument | null = null,
    decisions: SerieDecisions = new SvelteMap<string, boolean>(),
  ) {
    super(LIVRE_FIELDS, livre, { titre: '', format: 'Physique' });
    this.id = livre?.id ?? null;
    this.#emplacementId = livre?.emplacementId ?? null;
    this.#decisions = decisions;
  }

  /** True if the book is in a series, which an emptied field removes it from. */
  get isPlaced(): boolean {
    return this.id !== null && seriesView.placesOfLivre(this.id).length > 0;
  }

  /** A new book goes into the proposed series unless the person declines. */
  get takesProposal(): boolean {
    if (this.proposedSerie === null) return false;
    return this.#decisions.get(normaliser(this.proposedSerie.titre)) ?? this.id === null;
  }

  set takesProposal(isTaken: boolean) {
    if (this.proposedSerie !== null)
      this.#decisions.set(normaliser(this.proposedSerie.titre), isTaken);
  }

  override text(key: string): string {
    const own = super.text(key);
    if (own !== '' || (key !== 'serie' && key !== 'numero') || !this.takesProposal) return own;
    return (key === 'serie' ? this.proposedSerie?.titre : this.proposedSerie?.numero) ?? '';
  }

  override setText(key: string, text: string): void {
    if (key === 'serie' || key === 'numero') untrack(() => this.#settle(key, text));
    super.setText(key, text);
    if (key === 'format') untrack(() => this.#settlePages());
  }

  /**
   * @param code the requested code of the catalogue record
   * @returns the keys of fields that keep a person's text
   */
  autofill(candidat: Candidat, code: string | null): string[] {
    const { isbn, typeDocument = '' } = candidat;
    const texts = {
      titre: candidat.titre,
      auteurs: joinTokens(candidat.auteurs),
      ...textsOf(candidat),
      typeDocument,
      // The code of an edition that was found by its title.
      ...(isbn !== null && !this.isWritten('isbn') && { isbn }),
    };
    return this.prefill({ code: code ?? isbn, texts });
  }

  override prefill(prefilled: Prefill): string[] {
    const kept = super.prefill(prefilled);
    this.#settlePages();
    return kept;
  }

  /** An ebook does not take a printed record's page count (docs/rules.md § 9). */
  #settlePages(): void {
    const pages = this.prefilled.texts['nombrePages'];
    if (pages === undefined || this.isWritten('nombrePages')) return;
    super.setText('nombrePages', this.text('format') === 'Numerique' ? '' : pages);
  }

  /** A typed series replaces the proposed one; an emptied field declines it. */
  #settle(key: 'serie' | 'numero', text: string): void {
    if (!this.takesProposal || text === this.text(key)) return;
    if (key === 'serie' && text.trim() === '') this.takesProposal = false;
    else for (const each of ['numero', 'serie']) super.setText(each, this.text(each));
  }

  /** The location when the form was opened; `null` if it is deleted. */
  get emplacementId(): number | null {
    return emplacementsView.get(this.#emplacementId ?? 0)?.id ?? null;
  }

  override toSaisie(): LivreSaisiEnSerie {
    const place = this.#placeSaisie();
    return { ...super.toSaisie(), emprunteA: this.#empruntSaisi(), ...(place && { place }) };
  }

  override check(): boolean {
    const isRight = super.check();
    const error = this.#empruntError();
    if (error !== null) this.errors = { ...this.errors, ...error };
    return isRight && error === null;
  }

  #empruntError(): Readonly<Record<string, string>> | null {
    const [nom, aRendre] = [this.text('empruntNom').trim(), this.text('empruntRendre')];
    if (nom === '') return aRendre === '' ? null : { empruntNom: m.emprunt_nom_required() };
    const isBefore = aRendre !== '' && aRendre < this.#depuis;
    return isBefore ? { empruntRendre: m.emprunt_rendre_before() } : null;
  }

  #empruntSaisi(): endpoints.EmpruntSaisi | null {
    const nom = this.text('empruntNom').trim();
    if (nom === '') return null;
    return { nom, depuis: this.#depuis, aRendre: this.text('empruntRendre') || null };
  }

  get #depuis(): string {
    return this.text('empruntDepuis') || dayOf(new Date());
  }

  /** The change of the book's first series; `undefined` without one. */
  #placeSaisie(): SerieDuLivre | undefined {
    const titre = this.text('serie').trim();
    const entered = { numero: this.text('numero').trim(), tomes: this.text('tomes').trim() };
    const current = this.id === null ? undefined : seriesView.placesOfLivre(this.id)[0];
    if (current === undefined) return titre === '' ? undefined : { serie: { titre }, ...entered };
    const { serie, place } = current;
    if (titre === '') return { serie: null, de: place.id };
    if (textKey(titre) !== textKey(serie.titre))
      return { serie: { titre }, ...entered, de: place.id };
    if (entered.numero === (place.numero ?? '') && entered.tomes === (place.tomes ?? ''))
      return undefined;
    return { serie: { id: serie.id }, ...entered, de: place.id };
  }
}

/** A catalogue record's texts besides title and authors. */
const textsOf = (candidat: Partial<Candidat>): Record<string, string> =>
  Object.fromEntries(
    (['editeur', 'annee', 'nombrePages', 'coverUrl'] as const).map((key) => [
      key,
      String(candidat[key] ?? ''),
    ]),
  );

/** `null` for an empty text, `NaN` for anything but an integer. */
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
    ? m.pages_too_many({ max: MAX_NOMBRE_PAGES.toLocaleString(intlLocale) })
    : undefined;
}

const formatOf = (text: string): Format => FORMATS.find((format) => format === text) ?? 'Physique';

const typeDocumentOf = (text: string): TypeDocument =>
  TYPES_DOCUMENT.find((type) => type === text) ?? 'NonPrecise';

/** Replaces the bar's default notice if authors were merged. */
function reunisNotice({ auteursReunis = [] }: endpoints.LivreEcrit) {
  const [first] = auteursReunis;
  return first === undefined ? {} : { text: m.auteur_reuni(first) };
}

/**
 * Adds a book (docs/rules.md § 9). Throws the refusal `DOUBLON` with `similaires`, unless `confirmerDoublon` is set.
 */
export const ajouterLivre = operation(endpoints.ajouterLivre, { notice: reunisNotice });
export const modifierLivre = operation(endpoints.modifierLivre, { notice: reunisNotice });
export const placerEnSerie = operation(endpoints.placerEnSerie);
export const rangerLivre = operation(endpoints.rangerLivre);
export const noterEmprunt = operation(endpoints.noterEmprunt);
export const rendreEmprunt = operation(endpoints.rendreEmprunt);
export const ordonnerLivres = operation(endpoints.ordonnerLivres);
/** Merges two records. Throws the refusals `FICHES_PRETEES` and `FICHE_TROP_PLEINE`. */
export const fusionnerLivres = operation(fusions.fusionnerLivres);
/** Throws the refusal `LIVRE_PRETE` while the book is lent. */
export const supprimerLivre = operation(endpoints.supprimerLivre);

export const noterStatut = operation(statuts.modifierStatut, {
  // Replaces the bar's default notice if the day was corrected.
  notice: ({ jourCorrige }) => (jourCorrige === undefined ? {} : { text: m.statut_horloge() }),
});

/** Sets the reader's own status of a book; `null` means « not started ». */
export const modifierStatut = (livreId: number, statut: StatutOrNull) =>
  noterStatut(livreId, { statut, jour: dayOf(new Date()) });

/** The column as the history keeps it. */
function empruntText(value: string): string {
  const { nom, aRendre } = unsafeCast<endpoints.Emprunt>(JSON.parse(value));
  return aRendre === null ? nom : m.emprunt_until({ nom, date: formatPartialDate(aRendre) });
}

const statutText = (value: string): string =>
  statutLabel(Object.values(STATUTS).find((statut) => String(statut) === value) ?? null);

const PRETS: ModificationList = { key: 'prets', label: m.modifications_prets, icon: HandHelping };
const READING: ModificationList = { key: 'statuts', label: m.modifications_statuts, icon: Pencil };

export const livres: EditableKind<LivreDocument, LivreEntry> & ScreenKind<LivreDocument> = {
  collection: 'livres',
  label: m.kind_livre,
  fields: LIVRE_FIELDS,
  historyFields: [
    { key: 'emprunteur', label: m.field_emprunteur, acts: PRETS },
    { key: 'datePret', label: m.field_date_pret, format: formatDay, acts: PRETS },
    {
      key: 'dateRetourPrevue',
      label: m.field_date_retour_prevue,
      format: formatPartialDate,
      acts: PRETS,
    },
    { key: 'dateRetour', label: m.field_date_retour, format: formatDay, acts: PRETS },
    {
      key: 'emplacementId',
      label: m.field_emplacement,
      format: (id) => emplacementsView.pathText(Number(id)) || id,
      formatFirst: (emplacement) => m.modification_put({ emplacement }),
    },
    { key: 'emprunteA', label: m.field_emprunte_a, format: empruntText },
    { key: 'statut', label: m.field_statut, format: statutText, acts: READING },
  ],
  get: (id) => livresView.get(id),
  titreOf: ({ titre }) => titre,
  entryOf: (livre) => new LivreEntry(livre),
  ajouter: (entry, givenUp) =>
    ajouterLivre(
      { ...entry.toSaisie(), emplacementId: entry.emplacementId },
      { query: { confirmerDoublon: true }, givenUp },
    ),
  modifier: (id, entry, ifMatch, givenUp) =>
    modifierLivre(id, entry.toSaisie(), { ifMatch, givenUp }),
  supprimer: ({ id }, ifMatch) => supprimerLivre(id, { ifMatch }),
  hrefOf: ({ id }) => href(`/livres/${id}`),
  listOf: () => ({ href: href('/'), label: m.back_to_catalogue() }),
  notFound: () => ({
    icon: BookX,
    heading: m.livre_not_found(),
    text: m.not_found_text(),
    back: { href: href('/'), label: m.back_to_catalogue() },
  }),
};

/** The payload of another copy: printed, and owned even if the first one is borrowed. */
export const copySaisie = (livre: LivreDocument): LivreSaisiEnSerie => ({
  ...new LivreEntry(livre).toSaisie(),
  format: 'Physique',
  emprunteA: null,
});

/** Sets a book's ISBN; `null` if it has one by now. */
export const noterIsbn = (
  id: number,
  isbn: string,
  options: RewriteOptions,
): Promise<endpoints.LivreEcrit | null> =>
  rewrite(
    { collection: 'livres', get: livresView.get, put: modifierLivre },
    id,
    (livre) => {
      if (livre.isbn !== null) return null;
      const entry = new LivreEntry(livre);
      entry.setText('isbn', isbn);
      return entry.toSaisie();
    },
    options,
  );

/** Writes into a book that bears its code; `null` where it has a title by now, or another code, and is left as it is. */
const fillCodeTitled = (
  { id, isbn }: LivreDocument,
  fill: (entry: LivreEntry) => void,
  batch: Batch,
): Promise<endpoints.LivreEcrit | null> =>
  rewrite(
    { collection: 'livres', get: livresView.get, put: modifierLivre },
    id,
    (livre) => {
      if (!isCodeTitled(livre) || livre.isbn !== isbn) return null;
      const entry = new LivreEntry(livre);
      fill(entry);
      return entry.toSaisie();
    },
    { batch },
  );

/** Sets a typed title for a book titled by its code. */
export const giveTitre = (
  livre: LivreDocument,
  { titre, auteurs }: Pick<Candidat, 'titre' | 'auteurs'>,
  batch: Batch,
): Promise<endpoints.LivreEcrit | null> =>
  fillCodeTitled(
    livre,
    (entry) => {
      entry.setText('titre', titre);
      if (auteurs.length > 0) entry.setText('auteurs', joinTokens(auteurs));
    },
    batch,
  );

/** Sets the title and missing fields of a book titled by its code; no page count for an ebook (docs/rules.md § 9). */
export const giveCandidat = (
  livre: LivreDocument,
  candidat: Candidat,
  batch: Batch,
): Promise<endpoints.LivreEcrit | null> =>
  fillCodeTitled(
    livre,
    (entry) => {
      entry.setText('titre', candidat.titre);
      const texts = { ...textsOf(candidat), auteurs: joinTokens(candidat.auteurs) };
      entry.prefill({ code: livre.isbn, texts });
    },
    batch,
  );
