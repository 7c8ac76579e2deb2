import { formatPartialDate, parsePartialDate } from '$lib/format/partial-date';
import { m } from '$lib/paraglide/messages';
import {
  joinTokens,
  splitTokens,
  TextEntry,
  type FieldDescription,
} from '$lib/ui/form/text-entry.svelte';
import { COVER_URL_FIELD, textField } from '$lib/ui/form/text-field';
import { MAX_LENGTHS } from '#shared/fields';
import { MAX_DATE_LENGTH } from '#shared/numero-date';
import type { Numero, NumeroSaisi } from '#shared/numeros';
import type { Revue } from '#shared/revues';
import { textKey } from '#shared/text';

const FREE_TEXT = { maxlength: MAX_LENGTHS.freeText } as const;

export const NUMERO_FIELDS: readonly FieldDescription<Numero, NumeroSaisi>[] = [
  {
    key: 'numero',
    label: m.field_numero,
    half: true,
    maxlength: MAX_LENGTHS.nom,
    required: true,
    read: ({ numero }) => numero,
    write: (numero) => ({ numero }),
    check: (numero) => (numero.trim() === '' ? m.numero_required() : undefined),
    refusals: ['NUMERO_EXISTANT'],
  },
  {
    key: 'date',
    label: m.field_date,
    hint: m.date_hint,
    half: true,
    maxlength: MAX_DATE_LENGTH,
    read: ({ date }) => (date === null ? '' : formatPartialDate(date)),
    write: (text) => ({ date: parsePartialDate(text) ?? null }),
    tell: formatPartialDate,
    check: (text) => (parsePartialDate(text) === undefined ? m.date_invalid() : undefined),
  },
  COVER_URL_FIELD,
  textField('une', { label: m.field_une, rows: 2, ...FREE_TEXT }),
  textField('resume', { label: m.field_resume, rows: 3, ...FREE_TEXT }),
  {
    key: 'themes',
    label: m.field_themes,
    hint: m.themes_hint,
    tokens: true,
    read: ({ themes }) => joinTokens(themes),
    write: (text) => ({ themes: uniqueThemes(text) }),
    display: (text) => uniqueThemes(text).join(' ; '),
  },
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

/** An issue's form: what is typed, as it is typed. */
export class NumeroEntry extends TextEntry<Numero, NumeroSaisi> {
  readonly revue: Revue | undefined;

  /**
   * @param numero the issue to edit, `null` for a new one
   * @param revue the periodical that it is added to again where both are deleted meanwhile
   */
  constructor(numero: Numero | null, revue?: Revue) {
    super(NUMERO_FIELDS, numero, { numero: '' });
    this.revue = revue;
  }

  /** True while nothing is typed besides the number, which may be a proposal. */
  get isBlankButNumero(): boolean {
    return this.fields.every(({ key }) => key === 'numero' || this.text(key).trim() === '');
  }
}

/** The themes of a field's text, each once whatever its spelling. */
function uniqueThemes(text: string): string[] {
  const byKey = new Map<string, string>();
  for (const theme of splitTokens(text))
    if (!byKey.has(textKey(theme))) byKey.set(textKey(theme), theme);
  return [...byKey.values()];
}

/** The titles between semicolons; a title may hold commas (docs/rules.md § 21). */
const splitArticles = (text: string): string[] =>
  text
    .split(';')
    .map((titre) => titre.replace(/\s+/gu, ' ').trim())
    .filter((titre) => titre !== '');
