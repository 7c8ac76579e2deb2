import { Ajv, type ErrorObject } from 'ajv';
import type { Static, TSchema } from 'typebox';
import { type ChampFault, isChampType } from '#shared/champs';
import { namesOfPath } from '#shared/emplacement-tree';
import { parseIsbn } from '#shared/isbn';
import { parseIssn } from '#shared/issn';
import { isIsoDate } from '#shared/days';
import { numeroDateKey } from '#shared/numero-date';
import { objectKeys } from '#shared/object-keys';

/** Digits up to the minute, then optional seconds. `Date` would accept other forms as well. */
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

/** The accepted texts of each schema `format`, and the fault of any other text. */
export const FORMATS = {
  'date-time': { is: isInstant, code: 'INSTANT' },
  date: {
    is: (text: string) => text.length === 10 && isIsoDate(text),
    code: 'JOUR',
  },
  'partial-date': {
    is: (text: string) => isIsoDate(text) && !text.startsWith('0000'),
    code: 'JOUR_MOIS_ANNEE',
  },
  'numero-date': {
    is: (text: string) => numeroDateKey(text) !== null,
    code: 'DATE_NUMERO',
  },
  isbn: { is: (text: string) => parseIsbn(text) === text, code: 'ISBN' },
  issn: { is: (text: string) => parseIssn(text) === text, code: 'ISSN' },
  'web-address': { is: isWebAddress, code: 'ADRESSE' },
  'emplacement-nom': {
    is: (text: string) => namesOfPath(text).join() === text,
    code: 'CHEMIN',
  },
  // Semicolons separate the titles where these are typed.
  'article-titre': {
    is: (text: string) => !/^[;\s]+$/.test(text),
    code: 'SANS_TITRE',
  },
} as const;

const formats = Object.fromEntries(Object.entries(FORMATS).map(([name, { is }]) => [name, is]));

let instance: Ajv | undefined;

/** Compiled at the first use: compiling all schemas takes a quarter of a start. Lengths are counted in code points. */
export const validatorOf = <S extends TSchema>(schema: S) =>
  (instance ??= new Ajv({ allErrors: true, formats })).compile<Static<S>>(schema);

export type SchemaError = Pick<ErrorObject, 'instancePath' | 'keyword' | 'params'>;

/** The fault of a field, from an error of the validator. */
export function faultOf({ keyword, params }: Pick<SchemaError, 'keyword' | 'params'>): ChampFault {
  const limit = Number(params['limit']);
  const types = [...new Set([params['type']].flat().filter(isChampType))];
  const allowed = [params['allowedValues']]
    .flat()
    .filter((value) => value !== null && value !== '');
  switch (keyword) {
    case 'required':
      return { code: 'REQUIS' };
    case 'type':
      return types.length === 0 ? { code: 'AUTRE_TYPE' } : { code: 'TYPE', arguments: { types } };
    case 'enum':
      return { code: 'VALEURS', arguments: { valeurs: allowed.map(String) } };
    case 'minLength':
      return limit > 1 ? { code: 'TROP_COURT', arguments: { minimum: limit } } : { code: 'VIDE' };
    case 'maxLength':
      return { code: 'TROP_LONG', arguments: { maximum: limit } };
    case 'minItems':
      return { code: 'TROP_PEU', arguments: { minimum: limit } };
    case 'maxItems':
      return { code: 'TROP', arguments: { maximum: limit } };
    case 'uniqueItems':
      return { code: 'REPETE' };
    case 'minimum':
      return { code: 'MINIMUM', arguments: { minimum: limit } };
    case 'maximum':
      return { code: 'MAXIMUM', arguments: { maximum: limit } };
    case 'format':
      return { code: formatCode(String(params['format'])) };
    default:
      return { code: 'FORME' };
  }
}

const formatCode = (name: string): (typeof FORMATS)[keyof typeof FORMATS]['code'] | 'FORME' => {
  const format = objectKeys(FORMATS).find((one) => one === name);
  return format === undefined ? 'FORME' : FORMATS[format].code;
};
