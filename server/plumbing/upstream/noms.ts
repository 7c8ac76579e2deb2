import { MAX_AUTEURS } from '#shared/livres';
import { cleRegroupement, normaliser } from '#shared/text';
import { raison, type Raison } from '#server/plumbing/common/raisons';
import { cleanText } from './texts.ts';

// People's names in reading order, from catalogues and files of other programs.

const DATES = /\(?(?:\d{4}\s*-\s*(?:\d{4}|\.{4})?|-\s*\d{4})\)?$/u;

/**
 * « Saint-Exupéry, Antoine de » becomes « Antoine de Saint-Exupéry », « Alembert, Jean Le Rond d' » becomes « Jean Le
 * Rond d’Alembert ». Without a comma (a mononym, a body) a name stays as it is.
 */
export function inReadingOrder(catalogued: string): string {
  const nom = withoutComma(catalogued.trim().replace(DATES, '').trim());
  const [family = '', given = '', ...rest] = nom.split(',').map((part) => part.trim());
  if (given === '' || SUFFIX.test(given)) return nom;
  const separator = /['’]$/u.test(given) ? '' : ' ';
  return [`${given}${separator}${family}`, ...rest].join(', ');
}

const withoutComma = (text: string): string =>
  text.endsWith(',') ? text.slice(0, -1).trimEnd() : text;

/** Each person once by the grouping key, in the first spelling (docs/rules.md § 13). */
export function uniqueNoms(noms: readonly string[]): string[] {
  const byCle = new Map<string, string>();
  for (const nom of noms) {
    const cle = cleRegroupement(nom);
    if (!byCle.has(cle)) byCle.set(cle, nom);
  }
  return [...byCle.values()];
}

// Names of the BnF (docs/rules.md § 24)

interface Person {
  readonly nom: string;
  readonly roles: readonly string[];
}

/** Beginnings of the BnF's roles: in a text without dates only these distinguish a role from a name. */
// cspell:disable -- the source's own words
const BNF_ROLE = new RegExp(
  '^(?:Auteur|Autrice|Traduct|Illustrat|Préfac|Postfac|Éditeur|Editeur|Scénariste|Dessinat|Colorist|' +
    'Photograph|Adaptat|Annotat|Collaborat|Commentat|Compilat|Composit|Concept|Direct|Réalisat|' +
    'Interpr|Narrat|Lect|Récitant|Parolier|Producteur|Rédact|Graveur|Imprim|Librair|Public|' +
    'Présentat|Organisat|Particip|Ancien|Dédicat|Destinat|Correspond|Intervie|Personne|' +
    'Cartograph|Calligraph|Maquettist|Graphist|Relieur|Fonction|Contribut|Directrice)',
  'u',
);

const AUTEUR_ROLE = /^(?:Auteur(?! adapté)|Scénariste|Dessinateur)/u;
const COMIC_ROLE = /^(?:Scénariste|Dessinat)/u;
const FALLBACK_ROLE = /^(?:Illustrateur|Photographe|Éditeur scientifique)/u;
// cspell:enable

/**
 * Reads « Ménard, Jean-François (1948-.... ; romancier pour la jeunesse). Traducteur ». The bracketed group is removed
 * before the role is looked for: dates and initials have full stops, too.
 */
export function parsePerson(text: string): Person | null {
  const clean = cleanText(text);
  const group = clean.indexOf('(');
  const { catalogued, roles } = group === -1 ? splitAtRole(clean) : splitAtGroup(clean, group);
  const nom = inReadingOrder(catalogued);
  return nom === '' ? null : { nom, roles };
}

/**
 * People with an author's role or none; without any, illustrators, photographers and scientific editors
 * (docs/rules.md § 24). The element name does not help: dc:creator also has non-authors, and dc:contributor authors.
 */
export function chooseAuteurs(people: readonly Person[]): string[] {
  const auteurs = people.filter(
    ({ roles }) => roles.length === 0 || roles.some((role) => AUTEUR_ROLE.test(role)),
  );
  const fallback = people.filter(({ roles }) => roles.some((role) => FALLBACK_ROLE.test(role)));
  const chosen = auteurs.length > 0 ? auteurs : fallback;
  return uniqueNoms(chosen.map(({ nom }) => nom));
}

export const nomsInRole = (people: readonly Person[], role: RegExp): string[] =>
  uniqueNoms(people.flatMap(({ nom, roles }) => (roles.some((one) => role.test(one)) ? nom : [])));

export const makeComic = (people: readonly Person[]): boolean =>
  people.some(({ roles }) => roles.some((role) => COMIC_ROLE.test(role)));

function splitAtGroup(text: string, group: number) {
  const afterGroups = text.slice(group).replace(/\([^)]*\)?/gu, '');
  return {
    catalogued: text.slice(0, group).trim(),
    roles: splitAtFullStops(afterGroups).filter((part) => part !== ''),
  };
}

/**
 * Without dates a full stop may end an initial (« Green, Simon R. Auteur du texte »), a body (« France. Ministère de
 * la culture ») or the name. The first known role ends the name, else, after a comma, the first complete word.
 */
function splitAtRole(text: string) {
  const parts = splitAtFullStops(text);
  const firstPart = (pattern: RegExp) =>
    parts.findIndex((part, index) => index > 0 && pattern.test(part));
  const known = firstPart(BNF_ROLE);
  const end = known !== -1 || !text.includes(',') ? known : firstPart(/\p{L}{3}/u);
  const nameParts = end === -1 ? parts : parts.slice(0, end);
  return {
    catalogued: nameParts.join('. ').replace(/(?<=^|[\s.-])(\p{Lu})$/u, '$1.'),
    roles: end === -1 ? [] : parts.slice(end),
  };
}

const splitAtFullStops = (text: string): string[] =>
  // The look-behind keeps the expression linear on megabytes of full stops.
  text.split(/\.\s+|\.$/u).map((part) => part.replace(/^[\s.]+|(?<![\s.])[\s.]+$/gu, ''));

// The names of a file's column. All of its cells together tell whether a comma separates family and
// given name or two people.

interface NomsOfCells {
  readonly noms: readonly string[];
  readonly avertissements: readonly Raison[];
}

// cspell:disable -- words that stand beside names
/** Translators and writers of prefaces are no authors (docs/rules.md § 24). */
export const isOtherRole = (role: string): boolean =>
  /^trad|translat|traduc|preface|préfac|foreword|introduc|narrat|afterword|postfac/i.test(role);

const ROLE =
  /^(?:auteure?|author|trad|translat|illus|ill\.?$|préf|pref|scénar|scenar|dessin|color|édit|edit|ed\.?$|dir\.?$|direct|narrat|lect|lu par|contrib|photo|adapt|introd|postf|comp\.?$|collab)/i;

/** « trad. par », « Illustrations de » before a name. */
const ROLE_BEFORE =
  /^((?:trad(?:uit|uction)?|ill(?:ustré|ustrations?)?|préf(?:ace|acé)?|adapt(?:é|ation)?|dessins?|postface)e?\.?)\s+(?:par|de|d['’])\s*(\S.*)$/iu;

/** « 1821-1881 », « 1950-.... », « né en 1950 », « 18..-1902? ». */
const YEARS = /^(?:née?(?: en)? |b\. |ca\.? |v\. )?[\d?.]{3,5}\??(?:\s*[-–—]\s*[\d?.]{0,5}\??)?$/i;

/** A suffix that belongs to the name before the comma or bracket. */
const SUFFIX = /^(?:jr|sr|junior|senior|fils|père|pere|aîné|i{2,3}|iv|m\.? ?d|ph\.? ?d)\.?$/i;

/** Particles that begin a family name. */
const PARTICLE =
  /^(?:l[ae]s?|du|de|des|d['’]|van|von|der|den|del|della|di|da|dos|el|al|mc|mac|saint|sainte|st)$/i;
const LAST_PARTICLE = /(?:^|\s)(?:de la|de|du|des|d['’]|van|von|van der|von der|di|da|del|della)$/i;

/** Words that mark a corporate body, whose « et » does not separate two names. */
const BODY =
  /\b(?:ministere|direction|musee|universite|societe|institut|comite|association|editions?|groupe|collectif|bibliotheque|office|conseil|centre|commission|agence|ecole|departement|fondation|organisation|service|federation|union|academie|ville|region|and sons|et fils|et cie)\b/;
// cspell:enable

const INITIALS = /^(?:\p{Lu}\p{M}*\.?[\s-]*)+$/u;

const wordsOf = (text: string): string[] => text.split(/\s+/u).filter((word) => word !== '');

/** Limit for the names of one cell: a book keeps half as many, with a warning. */
const MAX_NOMS = 2 * MAX_AUTEURS;

/** Splits a text at a separator outside brackets, into non-empty parts. */
function partsOutside(text: string, separator: RegExp): string[] {
  const parts: string[] = [];
  let [start, counted, depth] = [0, 0, 0];
  for (const { 0: found, index } of text.matchAll(separator)) {
    for (; counted < index; counted++)
      if ('(['.includes(text.charAt(counted))) depth++;
      else if (')]'.includes(text.charAt(counted))) depth--;
    if (depth > 0) continue;
    const part = text.slice(start, index).trim();
    if (part !== '') parts.push(part);
    if (parts.length === MAX_NOMS) return parts;
    start = index + found.length;
  }
  const last = text.slice(start).trim();
  return last === '' ? parts : [...parts, last];
}

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

/** « A ; B », « A | B », « A (auteur), B (traducteur) »; « & » and « et » are separators if both sides look like names. */
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

/** Splits a name at its commas, without years of life; suffixes stay with the part before them. */
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
  const words = wordsOf(text.replace(/\0.*/s, '')).filter((word) => !SUFFIX.test(word));
  return words.filter((word) => !PARTICLE.test(word)).length <= 1;
};

const isGivenName = (text: string): boolean => INITIALS.test(text) || LAST_PARTICLE.test(text);

/** How the commas of a column are read; `always` if every name of several words has one. */
type Commas = 'always' | 'family' | 'list';

/** « La Fontaine, Jean de », « Ince Jr., Irwyn L. », « Kinge, Dale, Jr. » in reading order. */
function turnedAtComma([family = '', given = '']: readonly string[]): string {
  const [name = '', ...suffixes] = family.split('\0');
  const [first = '', ...others] = given.split('\0');
  const joined = /['’]$/.test(first) ? `${first}${name}` : `${first} ${name}`;
  return [joined.trim(), ...suffixes, ...others].join(' ');
}

/** Puts a name with one comma into reading order; any other stays unchanged. */
export function readingOrder(nom: string): string {
  const parts = commaParts(nom);
  return parts.length === 2 && !nom.trim().startsWith(',') && !nom.trim().endsWith(',')
    ? turnedAtComma(parts)
    : nom;
}

/**
 * « Camus Albert » in reading order; unchanged unless it is two plain words, since nothing else tells where the
 * family name ends.
 */
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
    return isFamily ? [turnedAtComma(parts)] : whole;
  }
  if (parts.every((part) => !isSingle(part))) return whole;
  // « Verne, Jules, Hugo, Victor ».
  if (commas !== 'list' && parts.length % 2 === 0 && parts.every(isSingle))
    return Array.from({ length: parts.length / 2 }, (_, nth) =>
      turnedAtComma(parts.slice(2 * nth, 2 * nth + 2)),
    );
  return commas === 'list' ? whole : [whole.join(', ')];
}

function withoutBrackets(text: string): { readonly nom: string; readonly role: string | null } {
  const [, before = null, named = text] = ROLE_BEFORE.exec(text.trim()) ?? [];
  let role: string | null = before;
  // The blanks before a bracket stay: a pattern that begins with a run of blanks is tried at each
  // of them.
  const nom = named.replace(/[([]([^()[\]]*)[)\]]/g, (whole, inside: string) => {
    const content = inside.trim();
    if (content === '' || YEARS.test(content)) return '';
    if (SUFFIX.test(content)) return `, ${content}`;
    if (!ROLE.test(content)) return whole;
    role = content;
    return '';
  });
  return { nom: nom.trim(), role };
}

/** The names of a column: all of its cells are added before the first is read. */
export class NomColumn {
  #family = 0;
  #list = 0;
  #plain = 0;

  add(cells: readonly string[]): void {
    for (const person of cells.flatMap(persons)) {
      const parts = commaParts(person);
      const [first = '', second] = parts;
      if (second === undefined) this.#plain += wordsOf(first).length > 1 ? 1 : 0;
      else if (parts.length > 2) this.#list += parts.every((part) => !isSingle(part)) ? 1 : 0;
      else if (isSingle(first) || isSingle(second) || isGivenName(second)) this.#family++;
      else this.#list++;
    }
  }

  get #commas(): Commas {
    if (this.#family <= this.#list || this.#family * 4 < this.#plain) return 'list';
    return this.#plain === 0 ? 'always' : 'family';
  }

  read(cells: readonly string[]): NomsOfCells {
    const commas = this.#commas;
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
        return authors.length === 0 || !isOtherRole(one.role)
          ? [raison('roleNonRepris', { nom: one.nom, role: one.role })]
          : [raison('pasAuteur', { nom: one.nom, role: one.role })];
      }),
    };
  }
}
