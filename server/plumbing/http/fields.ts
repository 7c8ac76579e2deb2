import type { ErrorObject } from 'ajv';
import type { RefusedChamp } from '#shared/refusals';

/** More than a form has fields; further errors are not reported. */
const MAX_CHAMPS = 20;

const TYPE_NAMES: Readonly<Partial<Record<string, string>>> = {
  string: 'un texte',
  number: 'un nombre',
  integer: 'un nombre entier',
  boolean: 'vrai ou faux',
  array: 'une liste',
  object: 'un objet',
};

/** What a sentence is made from. */
type SchemaError = Pick<ErrorObject, 'instancePath' | 'keyword' | 'params'>;

/**
 * The fields that a schema refuses, each once and at most twenty, `champ` with dots, in readable
 * French (docs/rules.md § 3). Of an array that is too long, the entries are not told.
 */
export function toChamps(errors: readonly ErrorObject[]): RefusedChamp[] {
  const champs = new Map<string, string>();
  let overlong: string | null = null;
  for (const error of mergeUnions(errors)) {
    // Ajv reports an array's length right before its entries.
    if (error.keyword === 'maxItems') overlong = `${error.instancePath}/`;
    else if (overlong !== null && error.instancePath.startsWith(overlong)) continue;
    const champ = champOf(error);
    if (!champs.has(champ)) champs.set(champ, sentenceFor(error));
    if (champs.size === MAX_CHAMPS) break;
  }
  return Array.from(champs, ([champ, message]) => ({ champ, message }));
}

/**
 * Replaces the errors of a union by what a reader can use: what is wrong inside the branch that the
 * value comes closest to, else one error that names the types of all branches. Ajv reports a union
 * right after its branches, so one pass over a stack is enough, however many errors there are.
 */
function mergeUnions(errors: readonly ErrorObject[]): ErrorObject[] {
  const merged: ErrorObject[] = [];
  for (const error of errors) {
    if (error.keyword !== 'anyOf') {
      merged.push(error);
      continue;
    }
    const branches = popWhile(merged, (other) => isInUnion(other, error));
    const inside = branches.filter((other) => !isWrongType(other, error));
    if (inside.length > 0) for (const other of inside) merged.push(other);
    else merged.push({ ...error, keyword: 'type', params: { type: typesOf(branches) } });
  }
  return merged;
}

/** Takes the last entries off a stack as long as a test holds; in their order on the stack. */
function popWhile<T>(stack: T[], test: (entry: T) => boolean): T[] {
  const end = stack.findLastIndex((entry) => !test(entry));
  return stack.splice(end + 1);
}

const isInUnion = (error: ErrorObject, union: ErrorObject): boolean =>
  error.schemaPath.startsWith(`${union.schemaPath}/`) &&
  (error.instancePath === union.instancePath ||
    error.instancePath.startsWith(`${union.instancePath}/`));

/** True for the error of a branch that takes another type of value altogether. */
const isWrongType = (error: ErrorObject, union: ErrorObject): boolean =>
  error.keyword === 'type' && error.instancePath === union.instancePath;

const typesOf = (errors: readonly ErrorObject[]): unknown[] =>
  errors.flatMap(({ params }): unknown[] => [params['type']].flat());

function champOf({ instancePath, keyword, params }: SchemaError): string {
  const segments = instancePath.split('/').slice(1);
  if (keyword === 'required') segments.push(String(params['missingProperty']));
  const names = segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
  return names.length === 0 ? 'corps' : names.join('.');
}

function sentenceFor({ keyword, params }: SchemaError): string {
  const limit = Number(params['limit']);
  switch (keyword) {
    case 'required':
      return 'doit être donné';
    case 'type':
      return `doit être ${typeNames(params['type'])}`;
    case 'enum':
      return `doit être ${allowedValues(params['allowedValues'])}`;
    case 'minLength':
      return 'ne doit pas être vide';
    case 'maxLength':
      return `ne doit pas dépasser ${limit.toLocaleString('fr')} caractères`;
    case 'minItems':
      return `doit compter au moins ${plural(limit, 'élément')}`;
    case 'maxItems':
      return `ne doit pas compter plus de ${plural(limit, 'élément')}`;
    case 'uniqueItems':
      return 'ne doit pas répéter un élément';
    case 'minimum':
      return `doit être au moins ${limit}`;
    case 'maximum':
      return `doit être au plus ${limit}`;
    default:
      return 'n’a pas la forme attendue';
  }
}

function typeNames(type: unknown): string {
  const names = [type].flat().flatMap((name) => TYPE_NAMES[String(name)] ?? []);
  return [...new Set(names)].join(' ou ') || 'd’un autre type';
}

function allowedValues(allowed: unknown): string {
  const values = [allowed].flat().filter((value) => value !== null && value !== '');
  return `l’une de ces valeurs : ${values.join(', ')}`;
}

const plural = (count: number, noun: string): string =>
  `${count.toLocaleString('fr')} ${noun}${count > 1 ? 's' : ''}`;
