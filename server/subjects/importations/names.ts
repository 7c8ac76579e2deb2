import { normaliser } from '#shared/text';

// The names of authors as people and programs write them, read by the column: whether a comma stands between a family
// name and a given name or between two persons is told by all of its cells.

/** The names of a cell, and the roles that stood beside some of them. */
export interface NomsLus {
  readonly noms: readonly string[];
  readonly avertissements: readonly string[];
}

// cspell:disable -- words that stand beside names
/** Translators and writers of prefaces are no authors (docs/rules.md § 24). */
export const isOtherRole = (role: string): boolean =>
  /^trad|translat|traduc|preface|préfac|foreword|introduc|narrat|afterword|postfac/i.test(role);

const ROLE =
  /^(?:auteure?|author|trad|translat|illus|ill\.?$|préf|pref|scénar|scenar|dessin|color|édit|edit|ed\.?$|dir\.?$|direct|narrat|lect|lu par|contrib|photo|adapt|introd|postf|comp\.?$|collab)/i;

/** « trad. par », « Illustrations de » before a name. */
const ROLE_BEFORE =
  /^((?:trad(?:uit|uction)?|ill(?:ustré|ustrations?)?|préf(?:ace|acé)?|adapt(?:é|ation)?|dessins?|postface)e?\.?)\s+(?:par|de|d['’])\s*(.+)$/iu;

/** « 1821-1881 », « 1950-.... », « né en 1950 », « 18..-1902? ». */
const YEARS = /^(?:née?(?: en)? |b\. |ca\.? |v\. )?[\d?.]{3,5}\??(?:\s*[-–—]\s*[\d?.]{0,5}\??)?$/i;

/** What belongs to the name before it, though a comma or brackets part it off. */
const SUFFIX = /^(?:jr|sr|junior|senior|fils|père|pere|aîné|ii|iii|iv|md|ph\.?d)\.?$/i;

/** What a family name begins with, or a given name ends with before one. */
const PARTICLE =
  /^(?:l[ae]s?|du|de|des|d['’]|van|von|der|den|del|della|di|da|dos|el|al|mc|mac|saint|sainte|st)$/i;
const LAST_PARTICLE = /(?:^|\s)(?:de la|de|du|des|d['’]|van|von|van der|von der|di|da|del|della)$/i;

/** What makes a body of a name: it is not parted at its « et ». */
const BODY =
  /\b(?:ministere|direction|musee|universite|societe|institut|comite|association|editions?|groupe|collectif|bibliotheque|office|conseil|centre|commission|agence|ecole|departement|fondation|organisation|service|federation|union|academie|ville|region|and sons|et fils|et cie)\b/;
// cspell:enable

const INITIALS = /^(?:\p{Lu}\p{M}*\.?[\s-]*)+$/u;

const wordsOf = (text: string): string[] => text.split(/\s+/u).filter((word) => word !== '');

/** The parts of a text at a separator that stands outside of brackets. */
function partsOutside(text: string, separator: RegExp): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const { 0: found, index } of text.matchAll(separator)) {
    const before = text.slice(0, index);
    if (count(before, /[([]/g) > count(before, /[)\]]/g)) continue;
    parts.push(text.slice(start, index));
    start = index + found.length;
  }
  return [...parts, text.slice(start)].map((part) => part.trim()).filter((part) => part !== '');
}

const count = (text: string, sign: RegExp): number => text.match(sign)?.length ?? 0;

/** Whether a text is the name of one person, in either order. */
function looksLikeNom(text: string): boolean {
  const words = wordsOf(text.replaceAll(',', ' '));
  return (
    words.length >= 2 &&
    words.length <= 5 &&
    /^\P{L}*\p{Lu}/u.test(text) &&
    !/\d/.test(text) &&
    !BODY.test(normaliser(text))
  );
}

/**
 * « A ; B », « A | B », « A (auteur), B (traducteur) », « A & B », « A et B »: the last two part where both sides look like
 * names.
 */
function persons(text: string): string[] {
  const parted = text.replace(
    /([([]([^()[\]]*)[)\]])\s*[,，]/g,
    (whole, brackets: string, said: string) =>
      ROLE.test(said.trim()) || YEARS.test(said.trim()) ? `${brackets};` : whole,
  );
  return partsOutside(parted, /[;|\n]|\s\/\s/g).flatMap((part) => {
    const sides = partsOutside(part, /\s(?:&|et|and)\s/g);
    return sides.length > 1 &&
      !BODY.test(normaliser(part)) &&
      sides.every((side) => looksLikeNom(side))
      ? sides
      : [part];
  });
}

/** The parts of a name at its commas, without years of life; what belongs to the part before it stands with that. */
function commaParts(text: string): string[] {
  const parts: string[] = [];
  for (const part of partsOutside(text, /[,，]/g)) {
    if (YEARS.test(part)) continue;
    const last = parts.at(-1);
    if (SUFFIX.test(part) && last !== undefined) parts[parts.length - 1] = `${last}\0${part}`;
    else parts.push(part);
  }
  return parts;
}

const isSingle = (text: string): boolean => {
  const words = wordsOf(text.replace(/\0.*$/s, '')).filter((word) => !SUFFIX.test(word));
  return words.filter((word) => !PARTICLE.test(word)).length <= 1;
};

const isGivenName = (text: string): boolean => INITIALS.test(text) || LAST_PARTICLE.test(text);

/** How the commas of a column are to be read; `always` where no name of several words stands without one. */
type Commas = 'always' | 'family' | 'list';

function commasOf(texts: Iterable<string>): Commas {
  let [family, list, plain] = [0, 0, 0];
  for (const text of texts)
    for (const person of persons(text)) {
      const parts = commaParts(person);
      const [first = '', second] = parts;
      if (second === undefined) plain += wordsOf(first).length > 1 ? 1 : 0;
      else if (parts.length > 2) list += parts.every((part) => !isSingle(part)) ? 1 : 0;
      else if (isSingle(first) || isSingle(second) || isGivenName(second)) family++;
      else list++;
    }
  if (family <= list || family * 4 < plain) return 'list';
  return plain === 0 ? 'always' : 'family';
}

/** « La Fontaine, Jean de », « Ince Jr., Irwyn L. », « Kinge, Dale, Jr. » in reading order. */
function inReadingOrder([family = '', given = '']: readonly string[]): string {
  const [name = '', ...suffixes] = family.split('\0');
  const [first = '', ...others] = given.split('\0');
  const joined = /['’]$/.test(first) ? `${first}${name}` : `${first} ${name}`;
  return [joined.trim(), ...suffixes, ...others].join(' ');
}

/** A name with one comma in reading order; any other as it is. */
export function readingOrder(nom: string): string {
  const parts = commaParts(nom);
  return parts.length === 2 && !nom.trim().startsWith(',') && !nom.trim().endsWith(',')
    ? inReadingOrder(parts)
    : nom;
}

/** « Camus Albert » in reading order; as it is where nothing says where the family name ends: other than two plain words. */
export function turned(nom: string): string {
  const [family = '', given = '', ...others] = wordsOf(nom);
  const isPlain = given !== '' && !PARTICLE.test(family) && !/^d['’]/.test(given);
  return isPlain && others.length === 0 ? `${given} ${family}` : nom;
}

function byCommas(person: string, commas: Commas): string[] {
  const parts = commaParts(person);
  const [first = '', second] = parts;
  if (second === undefined) return [first.replaceAll('\0', ' ')];
  const whole = parts.map((part) => part.replaceAll('\0', ' '));
  if (parts.length === 2) {
    const isFamily =
      isGivenName(second) ||
      commas === 'always' ||
      (commas === 'family' && (isSingle(first) || isSingle(second))) ||
      (isSingle(first) && isSingle(second)) ||
      (isSingle(first) && !looksLikeNom(second));
    return isFamily ? [inReadingOrder(parts)] : whole;
  }
  if (parts.every((part) => !isSingle(part))) return whole;
  // « Verne, Jules, Hugo, Victor ».
  if (commas !== 'list' && parts.length % 2 === 0 && parts.every(isSingle))
    return Array.from({ length: parts.length / 2 }, (_, nth) =>
      inReadingOrder(parts.slice(2 * nth, 2 * nth + 2)),
    );
  return commas === 'list' ? whole : [whole.join(', ')];
}

/** A name without what stands in brackets behind it that is no part of it, and the role that did. */
function withoutBrackets(text: string): { readonly nom: string; readonly role: string | null } {
  const [, before = null, named = text] = ROLE_BEFORE.exec(text.trim()) ?? [];
  let role: string | null = before;
  const nom = named.replace(/\s*[([]([^()[\]]*)[)\]]/g, (whole, inside: string) => {
    const said = inside.trim();
    if (said === '' || YEARS.test(said)) return '';
    if (SUFFIX.test(said)) return `, ${said}`;
    if (!ROLE.test(said)) return whole;
    role = said;
    return '';
  });
  return { nom: nom.trim(), role };
}

/** Reads the cells of a column of authors, after all of them have been looked at. */
export function nomReader(texts: Iterable<string>): (cells: readonly string[]) => NomsLus {
  const commas = commasOf(texts);
  return (cells) => {
    const read = cells
      .flatMap(persons)
      .flatMap((person) => {
        const { nom, role } = withoutBrackets(person);
        return byCommas(nom, commas).map((one) => ({ nom: one, role }));
      })
      .filter(({ nom }) => nom !== '');
    const authors = read.filter(({ role }) => role === null || !isOtherRole(role));
    const kept = authors.length > 0 ? authors : read;
    return {
      noms: kept.map(({ nom }) => nom),
      avertissements: read.flatMap((one) => {
        if (one.role === null) return [];
        return kept.includes(one)
          ? [`le rôle n’est pas repris : ${one.nom} (${one.role})`]
          : [`laissé de côté, n’est pas l’auteur : ${one.nom} (${one.role})`];
      }),
    };
  };
}
