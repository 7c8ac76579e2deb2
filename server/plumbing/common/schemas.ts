import { Ajv, type ErrorObject } from 'ajv';
import type { Static, TSchema } from 'typebox';
import { m } from '#messages';
import { namesOfPath } from '#shared/emplacement-tree';
import { parseIsbn } from '#shared/isbn';
import { parseIssn } from '#shared/issn';
import { isIsoDate } from '#shared/days';
import { numeroDateKey } from '#shared/numero-date';
import { objectKeys } from '#shared/object-keys';

/** Digits up to the minute, then seconds. `Date` would take other forms, too. */
const INSTANT = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(?::\d{2}(?:\.\d{1,9})?)?Z$/;

/** Whether a text is an instant of the calendar: `Date` takes 31 February for 3 March. */
export function isInstant(text: string): boolean {
  const [, minute = ''] = INSTANT.exec(text) ?? [];
  const date = new Date(minute === '' ? NaN : text);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(minute);
}

export function isWebAddress(text: string): boolean {
  const protocol = /\p{Cc}/u.test(text) ? undefined : URL.parse(text)?.protocol;
  return protocol === 'http:' || protocol === 'https:';
}

/** What a text of a schema's `format` is, and what is said of one that is not. */
export const FORMATS = {
  'date-time': { is: isInstant, sentence: m.champ_instant },
  date: {
    is: (text: string) => text.length === 10 && isIsoDate(text),
    sentence: m.champ_jour,
  },
  'partial-date': {
    is: (text: string) => isIsoDate(text) && !text.startsWith('0000'),
    sentence: m.champ_jour_mois_annee,
  },
  'numero-date': {
    is: (text: string) => numeroDateKey(text) !== null,
    sentence: m.champ_date_numero,
  },
  isbn: { is: (text: string) => parseIsbn(text) === text, sentence: m.champ_isbn },
  issn: { is: (text: string) => parseIssn(text) === text, sentence: m.champ_issn },
  'web-address': { is: isWebAddress, sentence: m.champ_adresse },
  'emplacement-nom': {
    is: (text: string) => namesOfPath(text).join() === text,
    sentence: m.champ_chemin,
  },
  // Semicolons separate the titles where these are typed.
  'article-titre': {
    is: (text: string) => !/^[;\s]+$/.test(text),
    sentence: m.champ_sans_titre,
  },
} as const;

const formats = Object.fromEntries(Object.entries(FORMATS).map(([name, { is }]) => [name, is]));

let instance: Ajv | undefined;

/** Compiled at the first use: compiling all schemas takes a quarter of a start. Lengths are counted in code points. */
export const validatorOf = <S extends TSchema>(schema: S) =>
  (instance ??= new Ajv({ allErrors: true, formats })).compile<Static<S>>(schema);

export type SchemaError = Pick<ErrorObject, 'instancePath' | 'keyword' | 'params'>;

const TYPE_NAMES: Readonly<Partial<Record<string, () => string>>> = {
  string: m.champ_type_texte,
  number: m.champ_type_nombre,
  integer: m.champ_type_entier,
  boolean: m.champ_type_booleen,
  array: m.champ_type_liste,
  object: m.champ_type_objet,
};

export function sentenceFor({ keyword, params }: Pick<SchemaError, 'keyword' | 'params'>): string {
  const limit = Number(params['limit']);
  const types = [params['type']].flat().flatMap((name) => TYPE_NAMES[String(name)]?.() ?? []);
  const typeNames = [...new Set(types)];
  const allowed = [params['allowedValues']]
    .flat()
    .filter((value) => value !== null && value !== '');
  switch (keyword) {
    case 'required':
      return m.champ_requis();
    case 'type':
      return typeNames.length === 0
        ? m.champ_type_autre()
        : m.champ_type({ types: typeNames.reduce((one, other) => m.champ_ou({ one, other })) });
    case 'enum':
      return m.champ_valeurs({ valeurs: allowed.join(', ') });
    case 'minLength':
      return limit > 1 ? m.champ_trop_court({ count: limit }) : m.champ_vide();
    case 'maxLength':
      return m.champ_trop_long({ count: limit });
    case 'minItems':
      return m.champ_trop_peu({ count: limit });
    case 'maxItems':
      return m.champ_trop({ count: limit });
    case 'uniqueItems':
      return m.champ_repete();
    case 'minimum':
      return m.champ_minimum({ limite: limit });
    case 'maximum':
      return m.champ_maximum({ limite: limit });
    case 'format':
      return formatSentence(String(params['format']));
    default:
      return m.champ_forme();
  }
}

const formatSentence = (name: string): string =>
  objectKeys(FORMATS)
    .filter((format) => format === name)
    .map((format) => FORMATS[format].sentence())
    .join();
