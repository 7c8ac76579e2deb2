import { m } from '$lib/paraglide/messages';
import { urlError } from '$lib/format/code-errors';
import { seriesView } from '../series/view.svelte.ts';
import {
  joinTokens,
  splitTokens,
  TextEntry,
  type FieldDescription,
} from '$lib/ui/form/text-entry.svelte';
import { ISBN_FIELD } from '$lib/ui/form/isbn-field';
import { titreField } from '$lib/ui/form/titre-field';
import { MAX_LENGTHS } from '#shared/fields';
import {
  FORMATS,
  MAX_ANNEE,
  MAX_NOMBRE_PAGES,
  TYPES_DOCUMENT,
  type Format,
  type LivreDocument,
  type LivreSaisi,
  type LivreSaisiEnSerie,
  type TypeDocument,
} from '#shared/livres';
import { Refusal } from '#shared/refusals';
import { formatLabels, typeDocumentLabels } from './labels.ts';
import { placeSaisie } from './serie.ts';

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
    tell: (value) => formatLabels[formatOf(value)](),
  },
  {
    key: 'typeDocument',
    label: m.field_type,
    half: true,
    options: TYPES_DOCUMENT.map((value) => ({ value, label: typeDocumentLabels[value] })),
    read: ({ typeDocument }) => typeDocument,
    write: (text) => ({ typeDocument: typeDocumentOf(text) }),
    display: (text) => typeDocumentLabels[typeDocumentOf(text)](),
    tell: (value) => typeDocumentLabels[typeDocumentOf(value)](),
  },
  {
    key: 'editeur',
    label: m.field_editeur,
    maxlength: MAX_LENGTHS.nom,
    read: ({ editeur }) => editeur ?? '',
    write: (editeur) => ({ editeur }),
  },
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
  {
    key: 'coverUrl',
    label: m.field_cover_url,
    maxlength: MAX_LENGTHS.url,
    type: 'url',
    read: ({ coverUrl }) => coverUrl ?? '',
    write: (coverUrl) => ({ coverUrl }),
    check: urlError,
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
    label: m.field_numero,
    half: true,
    maxlength: MAX_LENGTHS.code,
    read: ({ id }) => seriesView.placesOfLivre(id)[0]?.place.numero ?? '',
    write: () => ({}),
  },
];

/** A book's form: what is typed, as it is typed. */
export class LivreEntry extends TextEntry<LivreDocument, LivreSaisi> {
  readonly #id: number | null;

  /** @param livre the book to edit, none for a new one */
  constructor(livre: LivreDocument | null = null) {
    super(LIVRE_FIELDS, livre, { titre: '', format: 'Physique' });
    this.#id = livre?.id ?? null;
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
