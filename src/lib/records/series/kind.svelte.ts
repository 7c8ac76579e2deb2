import { emptyToNull, MAX_LENGTHS } from '#shared/fields';
import type { PlaceInSerie } from '#shared/global-search';
import { formatIsbn } from '#shared/isbn-format';
import * as endpoints from '#shared/series';
import {
  MAX_PLACES,
  type Place,
  type PlaceSaisie,
  type Serie,
  type SerieSaisie,
} from '#shared/series';
import { doubledNumeros } from '#shared/series-fit';
import { gapsOf, holderOf, slotsOf } from '#shared/series-gaps';
import { serieOfTitre } from '#shared/series-titres';
import { tomesOf } from '#shared/tomes';
import { joinAuteurs } from '#shared/souhaits';
import { normaliser, titreKey } from '#shared/text';
import { ApiError, type Refusal } from '$lib/api/call';
import { unsafeCast } from '$lib/api/unsafe-cast';
import { operation } from '$lib/api/write.svelte';
import { href } from '$lib/format/address';
import { isbnError } from '$lib/format/code-errors';
import { m } from '$lib/paraglide/messages';
import { textField, titreField } from '$lib/ui/form/fields';
import { type FieldDescription, TextEntry } from '$lib/ui/form/text-entry.svelte';
import type { EditableKind, ScreenKind } from '$lib/ui/kind';
import { moveFocus } from '$lib/ui/take-focus';
import Layers from '@lucide/svelte/icons/layers';
import { livresView } from '../livres/view.svelte.ts';
import { nextNumber } from '../revues/next-numero.ts';
import { rewrite } from '../rewrite.ts';
import { type ParsedTitre, parseTitres } from './titres.ts';
import { TOMES_FIELD } from './tomes-field.ts';
import { seriesView, volumeOf, type VolumeSlot } from './view.svelte.ts';
import { unawaited } from '$lib/sync/report';

const PLACE_FIELDS: readonly FieldDescription<Partial<Place>, PlaceSaisie>[] = [
  textField('numero', { label: m.field_tome, maxlength: MAX_LENGTHS.code }),
  TOMES_FIELD,
  textField('titre', {
    label: m.field_titre,
    maxlength: MAX_LENGTHS.titre,
    check: (titre) => (titre.trim() === '' ? m.volume_titre_required() : undefined),
  }),
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

/** A place as plain data, for comparing and storing a form. */
interface PlaceDraft {
  /** `null` for a new place. */
  readonly id: number | null;
  readonly livreId: number | null;
  readonly texts: Readonly<Record<string, string>>;
}

const toDraft = (place: Partial<Place>): PlaceDraft => ({
  id: place.id ?? null,
  livreId: place.livreId ?? null,
  texts: Object.fromEntries(PLACE_FIELDS.map(({ key, read }) => [key, read(place)])),
});

let rowCount = 0;

export class PlaceEntry extends TextEntry<Partial<Place>, PlaceSaisie> {
  /** Unique among the rows of all forms, and in the document. */
  readonly rowId = `place-row-${++rowCount}`;
  readonly id: number | null;
  livreId = $state<number | null>(null);
  /** Whether its details are shown. */
  isUnfolded = $state(false);
  /** A title whose book a person has removed is not linked again automatically. */
  #unlinkedKey = '';

  constructor({ id, livreId, texts }: PlaceDraft) {
    super(PLACE_FIELDS, null, { titre: '' });
    this.id = id;
    this.livreId = livreId;
    this.texts = { ...texts };
  }

  static of(place: Partial<Place>): PlaceEntry {
    return new PlaceEntry(toDraft(place));
  }

  get draft(): PlaceDraft {
    return { id: this.id, livreId: this.livreId, texts: { ...this.texts } };
  }

  /** Enter moves from one row's title to the next. */
  get titreInputId(): string {
    return `${this.rowId}-titre`;
  }

  focusTitre(): void {
    unawaited(
      moveFocus(() => document.getElementById(this.titreInputId)),
      'leading the focus',
    );
  }

  get titre(): string {
    return this.text('titre');
  }

  /** True while nothing but the number is typed, which may be a proposal. */
  override get isBlank(): boolean {
    return (
      this.livreId === null &&
      this.fields.every(({ key }) => key === 'numero' || this.text(key).trim() === '')
    );
  }

  get isWithoutLivre(): boolean {
    return this.livreId === null && !this.isBlank;
  }

  /** The traits that identify its volumes. */
  get volume(): Pick<Place, 'titre' | 'numero' | 'tomes' | 'livreId'> {
    const [numero, tomes] = ['numero', 'tomes'].map((key) => emptyToNull(this.text(key).trim()));
    return {
      titre: this.titre,
      livreId: this.livreId,
      numero: numero ?? null,
      tomes: tomes ?? null,
    };
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

  /** Links the only owned book with the typed title; among several a person chooses. */
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
   * @param known the ids of existing places: a deleted place is sent as a new one
   * @param commonAuteur the author of missing volumes without one
   */
  override toSaisie(known: ReadonlySet<number> = new Set(), commonAuteur = ''): PlaceSaisie {
    return {
      ...super.toSaisie(),
      id: this.id !== null && known.has(this.id) ? this.id : null,
      livreId: this.livreId,
      auteur: emptyToNull(this.text('auteur')) ?? (this.livreId === null ? commonAuteur : null),
    };
  }

  protected override get fieldsWithRefusals() {
    return [...this.fields, { key: 'livreId' }];
  }
}

type EditedSerie = Pick<Serie, 'titre' | 'parentId' | 'nombreTomes' | 'places'>;

/** The text of `parentId` is an id, that of `places` all rows. */
const SERIE_FIELDS: readonly FieldDescription<EditedSerie, SerieSaisie>[] = [
  titreField(m.serie_titre_required),
  {
    key: 'parentId',
    label: m.field_parent,
    read: ({ parentId }) => (parentId === null ? '' : String(parentId)),
    write: (text) => ({ parentId: text === '' ? null : Number(text) }),
    display: (text) => (text === '' ? m.no_parent() : (seriesView.get(Number(text))?.titre ?? '')),
    format: (id) => seriesView.get(Number(id))?.titre ?? `${m.field_serie()} ${id}`,
    refusals: ['CYCLE_IMPOSSIBLE'],
  },
  {
    key: 'nombreTomes',
    label: m.field_nombre_tomes,
    hint: m.nombre_tomes_hint,
    numeric: true,
    maxlength: 4,
    read: ({ nombreTomes }) => String(nombreTomes ?? ''),
    write: (text) => ({ nombreTomes: text.trim() === '' ? null : Number(text) }),
    check: (text) =>
      /^(?:[1-9]\d*)?$/.test(text.trim()) && Number(text) <= MAX_PLACES
        ? undefined
        : m.nombre_tomes_invalid(),
  },
  {
    key: 'places',
    label: m.volumes,
    read: ({ places }) => formatDrafts(places.map(toDraft)),
    // `toSaisie` sends the rows.
    write: () => ({}),
    display: (text) => parseDrafts(text).map(describeDraft).join('\n'),
  },
  {
    key: 'commonAuteur',
    label: m.field_common_auteur,
    hint: m.common_auteur_hint,
    maxlength: MAX_LENGTHS.nom,
    autocapitalize: 'words',
    // Not part of the record: the author of missing volumes without one.
    read: () => '',
    write: () => ({}),
  },
];

const formatDrafts = (drafts: readonly PlaceDraft[]): string => JSON.stringify(drafts);

const parseDrafts = (text: string): readonly PlaceDraft[] =>
  text === '' ? [] : unsafeCast<PlaceDraft[]>(JSON.parse(text));

function describeDraft({ livreId, texts: { numero, titre, auteur, isbn } }: PlaceDraft): string {
  const details = [auteur, isbn, livreId === null ? m.volume_missing() : ''].filter(Boolean);
  const name = [numero, titre].filter(Boolean).join(' ');
  return details.length === 0 ? name : `${name} (${details.join(', ')})`;
}

/** « 4 » after « 1-3 »; else as the number is written. */
function numeroAfter(numero: string): string {
  const tomes = tomesOf(numero);
  return tomes.length > 1 ? String(Math.max(...tomes) + 1) : nextNumber(numero);
}

export class SerieEntry extends TextEntry<EditedSerie, SerieSaisie> {
  places = $state<PlaceEntry[]>([]);
  readonly id: number | null;
  readonly #openedTitre: string;
  /** A title that a second series may have, normalised. */
  #confirmedTitre = $state('');
  #sentPlaces: readonly PlaceEntry[] = [];

  /**
   * @param serie to edit, or for a new one the initial values, such as its parent
   * @param id `null` for a new one
   */
  constructor(serie: EditedSerie, id: number | null = null) {
    super(SERIE_FIELDS, serie, { titre: '' });
    this.id = id;
    this.#openedTitre = normaliser(serie.titre);
    this.#setPlaces(serie.places.map(toDraft));
  }

  #setPlaces(drafts: readonly PlaceDraft[]): void {
    this.places = drafts.map((draft) => new PlaceEntry(draft));
    if (drafts.length === 0) this.places.push(PlaceEntry.of({ numero: '1' }));
  }

  override text(key: string): string {
    if (key !== 'places') return super.text(key);
    return formatDrafts(this.#typedPlaces.map(({ draft }) => draft));
  }

  override setText(key: string, text: string): void {
    if (key === 'places') this.#setPlaces(parseDrafts(text));
    else super.setText(key, text);
  }

  get #typedPlaces(): readonly PlaceEntry[] {
    return this.places.filter((place) => !place.isBlank);
  }

  get hasPlacesWithoutLivre(): boolean {
    return this.places.some((place) => place.isWithoutLivre);
  }

  /** For each row the title of the book that contains its volume. */
  readonly holders: readonly (string | null)[] = $derived.by(() => {
    const volumes = this.places.map(({ volume }) => volume);
    return volumes.map((volume) => holderOf(volume, volumes)?.titre ?? null);
  });

  /** Another series with the typed title, unless it is confirmed or unchanged. */
  get namesake(): Serie | null {
    const titre = normaliser(this.text('titre'));
    if (titre === this.#openedTitre || titre === this.#confirmedTitre) return null;
    return serieOfTitre(this.text('titre'), seriesView.all(), this.id);
  }

  confirmTitre(): void {
    this.#confirmedTitre = normaliser(this.text('titre'));
    this.clearError('titre');
  }

  get doubledNumeros(): readonly string[] {
    return doubledNumeros(this.#typedPlaces.map((place) => ({ numero: place.text('numero') })));
  }

  /** Adds a row after another, or at the end, with the next number. */
  addPlace(after = this.places.at(-1)): PlaceEntry {
    const place = PlaceEntry.of({ numero: numeroAfter(after?.text('numero') ?? '0') });
    this.places.splice(after ? this.places.indexOf(after) + 1 : 0, 0, place);
    return place;
  }

  /** Removes a row and returns the next one to edit; one row always remains. */
  removePlace(place: PlaceEntry): PlaceEntry {
    const index = this.places.indexOf(place);
    this.places.splice(index, 1);
    return this.places[Math.max(0, index - 1)] ?? this.addPlace();
  }

  movePlace(place: PlaceEntry, step: -1 | 1): void {
    const index = this.places.indexOf(place);
    if (index + step < 0 || index + step >= this.places.length) return;
    this.places.splice(index, 1);
    this.places.splice(index + step, 0, place);
  }

  /** Adds rows for a pasted list, replacing a blank row or after a row; returns the last one. */
  paste(text: string, at = this.places.at(-1)): PlaceEntry | undefined {
    const pasted = parseTitres(text).map((parsed) => this.#toPlace(parsed));
    const index = at ? this.places.indexOf(at) : 0;
    const replaces = at?.isBlank === true;
    this.places.splice(replaces ? index : index + 1, replaces ? 1 : 0, ...pasted);
    return pasted.at(-1);
  }

  #toPlace({ numero, titre, auteur }: ParsedTitre): PlaceEntry {
    const serie = this.text('titre').trim();
    const name = titre !== '' ? titre : serie === '' ? numero : m.tome_titre({ serie, numero });
    const place = PlaceEntry.of({ numero, titre: name, auteur });
    place.linkMatchingLivre();
    return place;
  }

  override check(): boolean {
    for (const place of this.places) place.errors = {};
    const placesAreRight = this.#typedPlaces.map((place) => place.check()).every(Boolean);
    const fieldsAreRight = super.check();
    if (fieldsAreRight && this.namesake !== null)
      this.errors = { titre: m.serie_same_titre_choose() };
    return fieldsAreRight && this.namesake === null && placesAreRight;
  }

  /** @param current the series in the replica, `undefined` for a new one */
  override toSaisie(current?: Serie): SerieSaisie {
    this.#sentPlaces = this.#typedPlaces;
    const knownIds = new Set(current?.places.map(({ id }) => id));
    const commonAuteur = this.text('commonAuteur');
    return {
      ...super.toSaisie(),
      places: this.#sentPlaces.map((place) => place.toSaisie(knownIds, commonAuteur)),
    };
  }

  override showAtField(refusal: Refusal | null): boolean {
    const places = this.#sentPlaces.map((place, i) => place.showAtField(refusal, `places.${i}.`));
    return super.showAtField(refusal) || places.includes(true);
  }
}

export const ajouterSerie = operation(endpoints.ajouterSerie);
/** Throws the refusal `CYCLE_IMPOSSIBLE` for a series inside itself. */
const modifierSerie = operation(endpoints.modifierSerie);
const supprimerSerie = operation(endpoints.supprimerSerie);
/** Reorders places and sub-series. Throws the refusal `LISTE_PERIMEE` unless `ids` is all of them. */
export const ordonnerSerie = operation(endpoints.ordonnerSerie);
/** Puts a missing volume on the reader's own list. Throws `SOUHAIT_EXISTANT` and `PLACE_OCCUPEE`. */
export const souhaiterPlace = operation(endpoints.souhaiterPlace);

/** Adds a missing volume to the reader's wish list; a gap is added to the series first. */
export async function souhaiterVolume(serie: Serie, slot: VolumeSlot): Promise<unknown> {
  if ('place' in slot) return souhaiterPlace(slot.place.id);
  const changed = await ajouterManquants(serie, [slot.gap], () => volumeOf(serie, slot).titre);
  const { places } = changed ?? seriesView.get(serie.id) ?? serie;
  const added = places.find(({ numero }) => numero === slot.gap);
  return added && souhaiterPlace(added.id);
}

/** Changes a series outside of its form; `null` leaves it. Throws the refusal `CYCLE_IMPOSSIBLE` for a series inside itself. */
export const changerSerie = (
  { id }: Serie,
  change: (serie: Serie) => Partial<SerieSaisie> | null,
): Promise<Serie | null> =>
  rewrite({ collection: 'series', get: seriesView.get, put: modifierSerie }, id, (serie) => {
    const { titre, parentId, nombreTomes, places } = serie;
    const changed = change(serie);
    return changed && { titre, parentId, nombreTomes, places, ...changed };
  });

/**
 * Adds the gaps of a series as missing volumes at their positions, with the common author of all volumes.
 *
 * @param titreOf the title for a number
 */
export const ajouterManquants = (
  serie: Serie,
  gaps: readonly string[],
  titreOf: (numero: string) => string,
): Promise<Serie | null> =>
  changerSerie(serie, (current) => {
    // Another person may have added some meanwhile.
    const open = new Set(gapsOf(current));
    const added = gaps.filter((gap) => open.has(gap));
    if (added.length === 0) return null;
    const [auteur, ...others] = new Set(current.places.map((place) => auteurOfPlace(place)));
    const places = slotsOf(current.places, added).map((slot) =>
      'place' in slot
        ? slot.place
        : {
            titre: titreOf(slot.gap),
            numero: slot.gap,
            auteur: others.length === 0 ? (auteur ?? null) : null,
          },
    );
    return { places };
  });

function auteurOfPlace({ auteur, livreId }: Place): string | null {
  const livre = livreId === null ? undefined : livresView.get(livreId);
  return joinAuteurs(livre?.auteurs.map(({ nom }) => nom) ?? []) ?? auteur;
}

const fillPlace = operation(endpoints.placerLivre);

/** Fills a place of a series that is still empty. Throws an `ApiError` if it has been filled or deleted meanwhile. */
export const placerLivre = (
  { serie, place }: PlaceInSerie,
  livreId: number,
): Promise<Serie | null> =>
  rewrite(
    {
      collection: 'series',
      get: seriesView.get,
      put: (_serieId, body: { livreId: number }, options) => fillPlace(place.id, body, options),
    },
    serie.id,
    ({ places }) => {
      if (places.find(({ id }) => id === place.id)?.livreId === null) return { livreId };
      throw new ApiError('refusal', m.refusal_modifie_entretemps());
    },
  );

export const series: EditableKind<Serie, SerieEntry> & ScreenKind<Serie> = {
  collection: 'series',
  label: m.field_serie,
  fields: SERIE_FIELDS,
  get: (id) => seriesView.get(id),
  titreOf: ({ titre }) => titre,
  entryOf: (serie) => new SerieEntry(serie, serie.id),
  ajouter: (entry, givenUp) => ajouterSerie(entry.toSaisie(), { givenUp }),
  modifier: (id, entry, ifMatch, givenUp) =>
    modifierSerie(id, entry.toSaisie(seriesView.get(id)), { ifMatch, givenUp }),
  supprimer: ({ id }, ifMatch) => supprimerSerie(id, { ifMatch }),
  hrefOf: ({ id }) => href(`/series/${id}`),
  listOf(serie) {
    const parent = seriesView.ancestors(serie).at(-1);
    return parent === undefined
      ? { href: href('/series'), label: m.destination_series() }
      : { href: href(`/series/${parent.id}`), label: parent.titre, isNamed: true };
  },
  notFound: () => ({
    icon: Layers,
    heading: m.serie_not_found(),
    text: m.not_found_text_feminine(),
    back: { href: href('/series'), label: m.back_to_series() },
  }),
};
