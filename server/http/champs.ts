import type { ErrorObject } from 'ajv';
import type { ChampRefuse } from '#shared/refusals';

/** More than a form has fields; what is wrong beyond is not listed. */
const CHAMPS_LISTES = 20;

const TYPES: Readonly<Partial<Record<string, string>>> = {
  string: 'un texte',
  number: 'un nombre',
  integer: 'un nombre entier',
  boolean: 'vrai ou faux',
  array: 'une liste',
  object: 'un objet',
};

/** The fields that Ajv refuses, each once, `champ` with dots, in readable French. */
export function champsRefuses(errors: readonly ErrorObject[]): ChampRefuse[] {
  const champs = new Map<string, string>();
  for (const error of sansBranches(errors)) {
    const champ = nomDuChamp(error);
    if (!champs.has(champ)) champs.set(champ, phrase(error));
    if (champs.size === CHAMPS_LISTES) break;
  }
  return Array.from(champs, ([champ, message]) => ({ champ, message }));
}

/**
 * Of a value that fits no form of a union, keeps what one reader can use: what is wrong inside the
 * form that it comes closest to, else one error that names all the forms.
 */
function sansBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  let kept = [...errors];
  for (const union of errors.filter(({ keyword }) => keyword === 'anyOf')) {
    const ofUnion = (error: ErrorObject) =>
      error.schemaPath.startsWith(`${union.schemaPath}/`) &&
      (error.instancePath === union.instancePath ||
        error.instancePath.startsWith(`${union.instancePath}/`));
    const forms = kept.filter((error) => ofUnion(error) && estForme(error, union));
    const inside = kept.filter((error) => ofUnion(error) && !estForme(error, union));
    const type = forms.flatMap(({ params }): unknown[] => [params['type']].flat());
    const whole = { ...union, keyword: 'type', params: { type } };
    kept = kept.flatMap((error) => {
      if (error === union) return inside.length > 0 ? [] : [whole];
      return forms.includes(error) ? [] : [error];
    });
  }
  return kept;
}

const estForme = (error: ErrorObject, union: ErrorObject) =>
  error.keyword === 'type' && error.instancePath === union.instancePath;

function nomDuChamp({ instancePath, keyword, params }: ErrorObject): string {
  const segments = instancePath.split('/').slice(1);
  if (keyword === 'required') segments.push(String(params['missingProperty']));
  const name = segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
  return name.length === 0 ? 'corps' : name.join('.');
}

function phrase({ keyword, params }: ErrorObject): string {
  const limit = Number(params['limit']);
  switch (keyword) {
    case 'required':
      return 'doit être donné';
    case 'type':
      return `doit être ${types(params['type'])}`;
    case 'enum':
      return `doit être ${valeurs(params['allowedValues'])}`;
    case 'minLength':
      return 'ne doit pas être vide';
    case 'maxLength':
      return `ne doit pas dépasser ${limit.toLocaleString('fr')} caractères`;
    case 'minItems':
      return `doit compter au moins ${pluriel(limit, 'élément')}`;
    case 'maxItems':
      return `ne doit pas compter plus de ${pluriel(limit, 'élément')}`;
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

function types(type: unknown): string {
  const noms = [type].flat().flatMap((nom) => TYPES[String(nom)] ?? []);
  return [...new Set(noms)].join(' ou ') || 'd’un autre type';
}

function valeurs(allowed: unknown): string {
  const dites = [allowed].flat().filter((valeur) => valeur !== null && valeur !== '');
  return `l’une de ces valeurs : ${dites.join(', ')}`;
}

const pluriel = (n: number, mot: string) => `${n.toLocaleString('fr')} ${mot}${n > 1 ? 's' : ''}`;
