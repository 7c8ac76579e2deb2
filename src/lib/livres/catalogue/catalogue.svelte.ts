import { m } from '$lib/paraglide/messages';
import { detailInWords } from '$lib/records/details/names';
import { emplacementsView } from '$lib/records/emplacements/view.svelte';
import { lecturesView, noteLabel, whenRead } from '$lib/records/lectures/view.svelte';
import { imported } from '$lib/records/livres/imported.svelte';
import {
  formatLabels,
  livresView,
  statutLabels,
  typeDocumentLabels,
} from '$lib/records/livres/view.svelte';
import { DeviceSetting } from '$lib/ui/device-settings.svelte';
import { updateUrl } from '$lib/ui/url-state.svelte';
import type { Emplacement } from '#shared/emplacements';
import {
  APPARTENANCES,
  type Criteres,
  FORMATS,
  type LivreDocument,
  MANQUES,
  STATUT_CRITERES,
  TYPES_DOCUMENT,
} from '#shared/livres';
import { objectKeys } from '#shared/object-keys';
import type { Pret } from '#shared/prets';
import { isPersonalTri, type PersonalTri, type Tri, TRIS } from '#shared/sort';

/** The labels of the values, for the filters with a fixed set of values. */
export const LABELS = {
  format: formatLabels,
  statut: { aucun: m.statut_aucun, ...statutLabels },
  typeDocument: typeDocumentLabels,
  disponibilite: { chezSoi: m.disponibilite_chez_soi, prete: m.disponibilite_prete },
  appartenance: { aNous: m.appartenance_a_nous, emprunte: m.appartenance_emprunte },
  sans: { couverture: m.sans_couverture, isbn: m.sans_isbn, serie: m.sans_serie },
} as const;

const oneOf = <T extends string>(options: readonly T[], text: string): T | undefined =>
  options.find((value) => value === text);

const someOf = (options: readonly string[], text: string): string =>
  [...new Set(text.split(','))].filter((value) => options.includes(value)).join(',');

/** The value for books without a location, in the address and in the catalogue. */
export const SANS_EMPLACEMENT = 'aucun';

const isEmplacement = (text: string) =>
  text === SANS_EMPLACEMENT || emplacementsView.get(Number(text)) !== undefined;

const emplacementLabel = (value: string) =>
  value === SANS_EMPLACEMENT
    ? m.ranger_nowhere()
    : (emplacementsView.get(Number(value))?.nom ?? '');

/** Several statuses match books with any of them, several missing fields those with all of them. */
export type ActiveFilters = Omit<Criteres, 'recherche'>;

export const NO_FILTERS = {
  format: '',
  statut: '',
  typeDocument: '',
  disponibilite: '',
  appartenance: '',
  sans: '',
  editeur: '',
  theme: '',
  detail: '',
  emplacement: '',
  importation: '',
} as const satisfies Record<keyof ActiveFilters, ''>;

/** Unknown values are left out. */
export function activeFiltersOf(params: URLSearchParams): ActiveFilters {
  const text = (key: keyof ActiveFilters) => params.get(key)?.trim() ?? '';
  const format = oneOf(FORMATS, text('format'));
  const typeDocument = oneOf(TYPES_DOCUMENT, text('typeDocument'));
  const disponibilite = oneOf(['chezSoi', 'prete'], text('disponibilite'));
  const appartenance = oneOf(APPARTENANCES, text('appartenance'));
  const [statut, sans] = [someOf(STATUT_CRITERES, text('statut')), someOf(MANQUES, text('sans'))];
  const [editeur, theme, detail] = [text('editeur'), text('theme'), text('detail')];
  const [emplacement, importation] = [text('emplacement'), text('importation')];
  return {
    ...(format && { format }),
    ...(statut !== '' && { statut }),
    ...(typeDocument && { typeDocument }),
    ...(disponibilite && { disponibilite }),
    ...(appartenance && { appartenance }),
    ...(sans !== '' && { sans }),
    ...(editeur !== '' && { editeur }),
    ...(theme !== '' && { theme }),
    ...(detail !== '' && { detail }),
    ...(isEmplacement(emplacement) && { emplacement }),
    ...(/^[1-9]\d{0,15}$/.test(importation) && { importation }),
  };
}

export function valuesOf(active: ActiveFilters, key: keyof ActiveFilters): readonly string[] {
  const value = active[key];
  if (value === undefined) return [];
  return key === 'statut' || key === 'sans' ? value.split(',') : [value];
}

const labels: Readonly<
  Partial<Record<keyof ActiveFilters, Readonly<Record<string, () => string>>>>
> = LABELS;

/** « Traduction : Lise Marchand ». */
export function detailLabel(value: string): string {
  const [nom = '', ...rest] = value.split(':');
  const valeur = rest.join(':').trimStart();
  const inWords = detailInWords({ nom: nom.trimEnd(), valeur });
  return valeur === '' ? inWords.nom : m.detail_told(inWords);
}

function valueLabel(key: keyof ActiveFilters, value: string): string {
  if (key === 'emplacement') return emplacementLabel(value);
  if (key === 'detail') return detailLabel(value);
  return key === 'importation' ? imported.label(value) : (labels[key]?.[value]?.() ?? value);
}

/** A filter that is on, and the parameters of the address without it. */
interface Chip {
  /** Two filters may have the same label, since a theme is free text. */
  readonly key: string;
  readonly label: string;
  readonly without: Readonly<Record<string, string>>;
}

export const chipsOf = (active: ActiveFilters): readonly Chip[] =>
  objectKeys(NO_FILTERS).flatMap((key) => {
    const values = [...new Set(valuesOf(active, key))];
    return values.map((value) => ({
      key: `${key} ${value}`,
      label: valueLabel(key, value),
      without: { [key]: values.filter((other) => other !== value).join(',') },
    }));
  });

/** A choice of a few values: the one in the address, else the last one on this device. */
class RememberedChoice<T extends string> extends DeviceSetting<T> {
  readonly #name: string;

  /** @param name of the parameter of the address and of the note on the device */
  constructor(name: string, values: readonly [T, ...T[]]) {
    super(name, values);
    this.#name = name;
  }

  of(params: URLSearchParams): T {
    return this.parse(params.get(this.#name)) ?? this.value;
  }

  /** @param others parameters of the address that change with it */
  async choose(value: T, others: Readonly<Record<string, string>> = {}): Promise<void> {
    this.value = value;
    await updateUrl({ ...others, [this.#name]: value });
  }
}

/** Titles are sorted as on a shelf, without articles. */
export type ScreenTri = Exclude<Tri, 'titre'>;

const [, ...SCREEN_TRIS] = TRIS;

const triLabels: Readonly<Record<ScreenTri, () => string>> = {
  alphabetique: m.field_titre,
  auteur: m.field_auteur,
  ajout: m.tri_ajout,
  annee: m.field_annee,
  serie: m.field_serie,
  emplacement: m.field_emplacement,
  note: m.tri_note,
  fin: m.tri_fin,
};

export const triLabel = (tri: ScreenTri): string => triLabels[tri]();

export const triChoice = new RememberedChoice<ScreenTri>('tri', SCREEN_TRIS);

export const triOptions = (): { value: ScreenTri; label: string }[] =>
  triChoice.values
    .filter((value) => value !== 'emplacement' || emplacementsView.count() > 0)
    .filter((value) => !isPersonalTri(value) || lecturesView.count() > 0)
    .map((value) => ({ value, label: triLabels[value]() }));

export const affichageChoice = new RememberedChoice('affichage', ['liste', 'couvertures']);

/** Whether the copies of one edition are one row. */
export const exemplairesChoice = new RememberedChoice('exemplaires', ['non', 'oui']);

/** Whether catalogue rows show their book's location. */
export const placesChoice = new RememberedChoice('places', ['non', 'oui']);

/** The value that a row shows for the order; `null` where the row or a heading shows it already. */
export function sortedBy({ id, annee }: LivreDocument, tri: Tri): string | null {
  if (tri === 'annee') return annee === null ? null : String(annee);
  return tri === 'fin' ? lastRead(id) : null;
}

function lastRead(livreId: number): string | null {
  const fin = lecturesView.lus().get(livreId)?.fin ?? null;
  return fin === null ? null : whenRead({ debut: null, fin, statut: 'Lue' });
}

/** The headings of a list, by the index of the first book under each; empty for an order without headings. */
export function headingsOf(
  livres: readonly LivreDocument[],
  tri: Tri,
  around?: number,
): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  let last: string | null = null;
  let location: number | null | undefined;
  for (const [index, livre] of livres.entries()) {
    if (tri === 'emplacement' && livre.emplacementId === location) continue;
    location = livre.emplacementId;
    const heading = headingOf(livre, tri, around);
    if (heading === null) return found;
    if (heading !== last) found.set(index, (last = heading));
  }
  return found;
}

function headingOf(
  { id, annee, emplacementId }: LivreDocument,
  tri: Tri,
  around?: number,
): string | null {
  if (tri === 'emplacement') return emplacementHeading(emplacementId, around);
  if (tri === 'serie') return livresView.serieOf(id)?.titre ?? m.sans_serie();
  if (isPersonalTri(tri)) return readHeading(id, tri);
  if (tri !== 'annee') return null;
  if (annee === null) return m.no_annee();
  return annee < 0 ? m.before_our_era() : m.decade({ decade: Math.floor(annee / 10) * 10 });
}

function readHeading(livreId: number, tri: PersonalTri): string {
  const { note = null, fin = null } = lecturesView.lus().get(livreId) ?? {};
  if (tri === 'note') return note === null ? m.no_note() : noteLabel(note);
  return fin === null ? m.no_fin() : fin.slice(0, 4);
}

/**
 * A location's name, which a narrow screen shows completely, then its ancestors up to `around`; `null` for all books
 * of one shelf.
 */
function emplacementHeading(id: number | null, around?: number): string | null {
  const tree = emplacementsView.tree();
  const path = tree.path(id);
  const nom = path.at(-1)?.nom;
  if (nom === undefined) return m.ranger_nowhere();
  if (id === around && tree.children(around).length === 0) return null;
  const outside = below(path, around).slice(0, -1);
  return outside.length === 0 ? nom : `${nom} · ${pathText(outside)}`;
}

/**
 * The location shown in a row, unless a heading has it: the borrower of a `lent` book, the packed box, or the path
 * from `around`, or from the room if `isAsked`; `null` for none.
 */
export function whereMark(
  { emplacementId }: LivreDocument,
  lent: Pick<Pret, 'emprunteur'> | null,
  tri: Tri,
  around: number,
  isAsked: boolean,
): string | null {
  const [nom, text] = standsIn(emplacementId, tri, around, isAsked);
  if (lent === null) return text;
  return nom === null
    ? m.pret_lent_to(lent)
    : m.pret_lent_place({ emprunteur: lent.emprunteur, nom });
}

/** The location's name, and its form in a row. */
function standsIn(
  emplacementId: number | null,
  tri: Tri,
  around: number,
  isAsked: boolean,
): readonly [nom: string, text: string] | readonly [null, null] {
  if (tri === 'emplacement') return [null, null];
  const path = emplacementsView.tree().path(emplacementId);
  const inside = below(path, around);
  const box = inside.findLast(({ fermeLe }) => fermeLe !== null);
  if (box !== undefined) return [box.nom, m.emplacement_in_box({ nom: box.nom })];
  if (inside.length === path.length && isAsked && path.length > 0) {
    // The most specific part comes first, since a narrow row cuts the end.
    const text = emplacementHeading(emplacementId);
    return text === null ? [null, null] : [text, text];
  }
  if (inside.length === 0 || inside.length === path.length) return [null, null];
  return [pathText(inside), pathText(inside)];
}

/** The part of a path inside a location; the whole path outside of it. */
const below = (path: readonly Emplacement[], around?: number): readonly Emplacement[] =>
  path.slice(path.findIndex(({ id }) => id === around) + 1);

const pathText = (path: readonly Emplacement[]): string => path.map(({ nom }) => nom).join(' › ');
