import { m } from '$lib/paraglide/messages';
import { issnError } from '$lib/format/code-errors';
import { TextEntry, type FieldDescription } from '$lib/ui/form/text-entry.svelte';
import { COVER_URL_FIELD, textField, titreField } from '$lib/ui/form/fields';
import { MAX_LENGTHS } from '#shared/fields';
import { issnOfCode977 } from '#shared/issn';
import type { Revue, RevueSaisie } from '#shared/revues';
import { formatPartialDate } from '$lib/format/partial-date';
import { parsePartialDate } from '$lib/format/typed-date';
import { type Numero, type NumeroSaisi, MAX_DATE_LENGTH } from '#shared/numeros';
import { formatNumero } from '#shared/numero-name';
import Newspaper from '@lucide/svelte/icons/newspaper';
import { href } from '$lib/format/address';
import type { Refusal } from '$lib/api/call';
import { operation } from '$lib/api/write.svelte';
import type { EditableKind, ScreenKind } from '$lib/ui/kind';
import * as numeroEndpoints from '#shared/numeros';
import * as revueEndpoints from '#shared/revues';
import { THEMES_FIELD } from '../themes/view.svelte.ts';
import { numerosView, revuesView } from './view.svelte.ts';

/** An ISSN may be typed as a cover's 977 code (docs/rules.md § 8). */
const issnTyped = (text: string): string => issnOfCode977(text)?.issn ?? text;

/** For a periodical, owned or wished for. */
export const ISSN_FIELD: FieldDescription<
  { readonly issn: string | null },
  { readonly issn: string | null }
> = {
  key: 'issn',
  label: m.field_issn,
  hint: m.issn_hint,
  maxlength: MAX_LENGTHS.code,
  code: true,
  read: ({ issn }) => issn ?? '',
  write: (text) => ({ issn: issnTyped(text) }),
  check: issnError,
  refusals: ['ISSN_INVALIDE'],
};

const REVUE_FIELDS: readonly FieldDescription<Revue, RevueSaisie>[] = [
  titreField(m.revue_titre_required),
  ISSN_FIELD,
  {
    ...ISSN_FIELD,
    key: 'secondIssn',
    label: m.field_second_issn,
    hint: m.second_issn_hint,
    read: ({ secondIssn }) => secondIssn ?? '',
    write: (text) => ({ secondIssn: issnTyped(text) }),
  },
];

export class RevueEntry extends TextEntry<Revue, RevueSaisie> {
  constructor(revue: Revue) {
    super(REVUE_FIELDS, revue, { titre: '' });
  }

  /** A duplicate ISSN is shown at its field. */
  override showAtField(refusal: Refusal | null, prefix = ''): boolean {
    if (refusal?.code !== 'REVUE_EXISTANTE') return super.showAtField(refusal, prefix);
    this.errors = { [refusal.champ]: refusal.message };
    return true;
  }
}

const FREE_TEXT = { maxlength: MAX_LENGTHS.freeText } as const;

const NUMERO_FIELDS: readonly FieldDescription<Numero, NumeroSaisi>[] = [
  textField('numero', {
    label: m.field_numero,
    half: true,
    maxlength: MAX_LENGTHS.nom,
    required: true,
    check: (numero) => (numero.trim() === '' ? m.numero_required() : undefined),
    refusals: ['NUMERO_EXISTANT'],
  }),
  {
    key: 'date',
    label: m.field_date,
    hint: m.date_hint,
    half: true,
    maxlength: MAX_DATE_LENGTH,
    read: ({ date }) => (date === null ? '' : formatPartialDate(date)),
    write: (text) => ({ date: parsePartialDate(text) ?? null }),
    format: formatPartialDate,
    check: (text) => (parsePartialDate(text) === undefined ? m.date_invalid() : undefined),
  },
  COVER_URL_FIELD,
  textField('une', { label: m.field_une, rows: 2, ...FREE_TEXT }),
  textField('resume', { label: m.field_resume, rows: 3, ...FREE_TEXT }),
  THEMES_FIELD,
  {
    key: 'articles',
    label: m.field_articles,
    hint: m.articles_hint,
    rows: 3,
    read: ({ articles }) => articles.join(' ; '),
    write: (text) => ({ articles: splitArticles(text) }),
    check: (text) =>
      text.trim() !== '' && splitArticles(text).length === 0 ? m.articles_untitled() : undefined,
    display: (text) => splitArticles(text).join(' ; '),
  },
];

export class NumeroEntry extends TextEntry<Numero, NumeroSaisi> {
  readonly revue: Revue | undefined;

  /**
   * @param numero the issue to edit, `null` for a new one
   * @param revue the periodical to recreate if both are deleted meanwhile
   */
  constructor(numero: Numero | null, revue?: Revue) {
    super(NUMERO_FIELDS, numero, { numero: '' });
    this.revue = revue;
  }

  /** True while nothing but the number is typed, which may be a proposal. */
  get isBlankButNumero(): boolean {
    return this.fields.every(({ key }) => key === 'numero' || this.text(key).trim() === '');
  }
}

/** Separated by semicolons, since titles may contain commas (docs/rules.md § 21). */
const splitArticles = (text: string): string[] =>
  text
    .split(';')
    .map((titre) => titre.replace(/\s+/gu, ' ').trim())
    .filter((titre) => titre !== '');

const titreOfNumero = ({ revueId, numero }: Numero): string =>
  [revuesView.get(revueId)?.titre, formatNumero(numero)].filter(Boolean).join(', ');

export const ajouterRevue = operation(revueEndpoints.ajouterRevue);
const modifierRevue = operation(revueEndpoints.modifierRevue);
const supprimerRevue = operation(revueEndpoints.supprimerRevue);
export const ajouterNumero = operation(numeroEndpoints.ajouterNumero);
/** Adds an issue and, if needed, its periodical: both or neither. */
export const ajouterRevueNumero = operation(numeroEndpoints.ajouterRevueNumero);
const modifierNumero = operation(numeroEndpoints.modifierNumero);
const supprimerNumero = operation(numeroEndpoints.supprimerNumero);

export const revues: EditableKind<Revue, RevueEntry> & ScreenKind<Revue> = {
  collection: 'revues',
  label: m.field_revue,
  fields: REVUE_FIELDS,
  get: (id) => revuesView.get(id),
  titreOf: ({ titre }) => titre,
  entryOf: (revue) => new RevueEntry(revue),
  ajouter: (entry, givenUp) => ajouterRevue(entry.toSaisie(), { givenUp }),
  modifier: (id, entry, ifMatch, givenUp) =>
    modifierRevue(id, entry.toSaisie(), { ifMatch, givenUp }),
  supprimer: ({ id }, ifMatch) => supprimerRevue(id, { ifMatch }),
  hrefOf: ({ id }) => href(`/revues/${id}`),
  listOf: () => ({ href: href('/revues'), label: m.destination_revues() }),
  notFound: () => ({
    icon: Newspaper,
    heading: m.verdict_revue_not_owned(),
    text: m.not_found_text_feminine(),
    back: { href: href('/revues'), label: m.back_to_revues() },
  }),
};

export const numeros: EditableKind<Numero, NumeroEntry> & ScreenKind<Numero> = {
  collection: 'numeros',
  label: m.field_numero,
  fields: NUMERO_FIELDS,
  historyFields: [
    {
      key: 'revueId',
      label: m.field_revue,
      format: (id) => revuesView.get(Number(id))?.titre ?? `${m.field_revue()} ${id}`,
    },
  ],
  get: (id) => numerosView.get(id),
  titreOf: titreOfNumero,
  entryOf: (numero) => new NumeroEntry(numero, revuesView.get(numero.revueId)),
  ajouter: (entry, givenUp) =>
    ajouterRevueNumero(
      { revue: entry.revue ?? { titre: '' }, numero: entry.toSaisie() },
      { givenUp },
    ),
  modifier: (id, entry, ifMatch, givenUp) =>
    modifierNumero(id, entry.toSaisie(), { ifMatch, givenUp }),
  supprimer: ({ id }, ifMatch) => supprimerNumero(id, { ifMatch }),
  hrefOf: ({ id, revueId }) => href(`/revues/${revueId}/numeros/${id}`),
  listOf: ({ revueId }) => ({
    href: href(`/revues/${revueId}`),
    label: revuesView.get(revueId)?.titre ?? '',
    isNamed: true,
  }),
  notFound: () => ({
    icon: Newspaper,
    heading: m.numero_not_found(),
    text: m.not_found_text(),
    back: { href: href('/revues'), label: m.back_to_revues() },
  }),
};
