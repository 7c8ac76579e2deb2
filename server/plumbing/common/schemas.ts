import { Ajv, type ErrorObject } from 'ajv';
import type { Static, TSchema } from 'typebox';
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
  'date-time': { is: isInstant, sentence: 'est un instant (ISO 8601, UTC)' },
  date: {
    is: (text: string) => text.length === 10 && isIsoDate(text),
    sentence: 'est un jour (2026-03-12)',
  },
  'partial-date': {
    is: (text: string) => isIsoDate(text) && !text.startsWith('0000'),
    sentence: 'est un jour, un mois ou une année (2026-03-12, 2026-03, 2026)',
  },
  'numero-date': {
    is: (text: string) => numeroDateKey(text) !== null,
    sentence: 'doit être une date comme 2026-11-20, 2026-11, juillet-août 2026 ou printemps 2026',
  },
  isbn: { is: (text: string) => parseIsbn(text) === text, sentence: 'est un ISBN' },
  issn: { is: (text: string) => parseIssn(text) === text, sentence: 'est un ISSN' },
  'web-address': { is: isWebAddress, sentence: 'doit être une adresse http ou https' },
  'emplacement-nom': {
    is: (text: string) => namesOfPath(text).join() === text,
    sentence: 'ne contient ni « › » ni « > », qui séparent les noms d’un chemin',
  },
  // Semicolons separate the titles where these are typed.
  'article-titre': {
    is: (text: string) => !/^[;\s]+$/.test(text),
    sentence: 'ne contient aucun titre',
  },
} as const;

const formats = Object.fromEntries(Object.entries(FORMATS).map(([name, { is }]) => [name, is]));

let instance: Ajv | undefined;

/** Compiled at the first use: compiling all schemas takes a quarter of a start. Lengths are counted in code points. */
export const validatorOf = <S extends TSchema>(schema: S) =>
  (instance ??= new Ajv({ allErrors: true, formats })).compile<Static<S>>(schema);

export type SchemaError = Pick<ErrorObject, 'instancePath' | 'keyword' | 'params'>;

const TYPE_NAMES: Readonly<Partial<Record<string, string>>> = {
  string: 'un texte',
  number: 'un nombre',
  integer: 'un nombre entier',
  boolean: 'vrai ou faux',
  array: 'une liste',
  object: 'un objet',
};

export function sentenceFor({ keyword, params }: Pick<SchemaError, 'keyword' | 'params'>): string {
  const limit = Number(params['limit']);
  const types = [params['type']].flat().flatMap((name) => TYPE_NAMES[String(name)] ?? []);
  const typeNames = [...new Set(types)];
  const allowed = [params['allowedValues']]
    .flat()
    .filter((value) => value !== null && value !== '');
  switch (keyword) {
    case 'required':
      return 'doit être donné';
    case 'type':
      return `doit être ${typeNames.join(' ou ') || 'd’un autre type'}`;
    case 'enum':
      return `doit être l’une de ces valeurs : ${allowed.join(', ')}`;
    case 'minLength':
      return limit > 1 ? `doit compter au moins ${limit} caractères` : 'ne doit pas être vide';
    case 'maxLength':
      return `ne doit pas dépasser ${limit.toLocaleString('fr')} caractères`;
    case 'minItems':
      return `doit compter au moins ${elements(limit)}`;
    case 'maxItems':
      return `ne doit pas compter plus de ${elements(limit)}`;
    case 'uniqueItems':
      return 'ne doit pas répéter un élément';
    case 'minimum':
      return `doit être au moins ${limit}`;
    case 'maximum':
      return `doit être au plus ${limit}`;
    case 'format':
      return formatSentence(String(params['format']));
    default:
      return 'n’a pas la forme attendue';
  }
}

const formatSentence = (name: string): string =>
  objectKeys(FORMATS)
    .filter((format) => format === name)
    .map((format) => FORMATS[format].sentence)
    .join();

const elements = (count: number): string =>
  `${count.toLocaleString('fr')} élément${count > 1 ? 's' : ''}`;
