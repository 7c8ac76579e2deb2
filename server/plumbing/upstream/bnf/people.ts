import { inReadingOrder, uniqueNoms } from '#server/plumbing/upstream/noms';
import { cleanText } from '#server/plumbing/upstream/text';

/** A person or body of a record: a name in reading order, and the roles that the record gives. */
interface Person {
  readonly nom: string;
  readonly roles: readonly string[];
}

/** How the BnF's roles begin: in a text without dates, only this tells a role from a name. */
// cspell:disable -- the source's own words
const ROLE = new RegExp(
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
 * Reads « Ménard, Jean-François (1948-.... ; romancier pour la jeunesse). Traducteur ». The bracketed
 * group is removed before the role is looked for: dates and initials have full stops as well.
 */
export function parsePerson(text: string): Person | null {
  const clean = cleanText(text);
  const group = clean.indexOf('(');
  const { catalogued, roles } = group === -1 ? splitAtRole(clean) : splitAtGroup(clean, group);
  const nom = inReadingOrder(catalogued);
  return nom === '' ? null : { nom, roles };
}

/**
 * The authors among the people of a record (docs/rules.md § 24): whoever has an author's role or no
 * role; where there is nobody, illustrators, photographers and scientific editors. The role decides
 * and not the element: non-authors stand in dc:creator and authors in dc:contributor.
 */
export function chooseAuteurs(people: readonly Person[]): string[] {
  const auteurs = people.filter(
    ({ roles }) => roles.length === 0 || roles.some((role) => AUTEUR_ROLE.test(role)),
  );
  const fallback = people.filter(({ roles }) => roles.some((role) => FALLBACK_ROLE.test(role)));
  const chosen = auteurs.length > 0 ? auteurs : fallback;
  return uniqueNoms(chosen.map(({ nom }) => nom));
}

/** Whether the people of a record are those of a comic (docs/rules.md § 24). */
export const makeComic = (people: readonly Person[]): boolean =>
  people.some(({ roles }) => roles.some((role) => COMIC_ROLE.test(role)));

interface SplitPerson {
  /** The name as catalogued, family name first. */
  readonly catalogued: string;
  readonly roles: readonly string[];
}

function splitAtGroup(text: string, group: number): SplitPerson {
  const afterGroups = text.slice(group).replace(/\([^)]*\)?/gu, '');
  return {
    catalogued: text.slice(0, group).trim(),
    roles: splitAtFullStops(afterGroups).filter((part) => part !== ''),
  };
}

/**
 * Without dates a full stop may end an initial (« Green, Simon R. Auteur du texte »), a body
 * (« France. Ministère de la culture ») or the name: the first known role ends the name, else,
 * after a comma, the first whole word does.
 */
function splitAtRole(text: string): SplitPerson {
  const parts = splitAtFullStops(text);
  const known = parts.findIndex((part, index) => index > 0 && ROLE.test(part));
  const end = known !== -1 || !text.includes(',') ? known : firstWholeWord(parts);
  const nameParts = end === -1 ? parts : parts.slice(0, end);
  return {
    catalogued: nameParts.join('. ').replace(/(?<=^|[\s.-])(\p{Lu})$/u, '$1.'),
    roles: end === -1 ? [] : parts.slice(end),
  };
}

const firstWholeWord = (parts: readonly string[]): number =>
  parts.findIndex((part, index) => index > 0 && /\p{L}{3}/u.test(part));

const splitAtFullStops = (text: string): string[] =>
  text.split(/\.\s+|\.$/u).map((part) => part.replace(/^[\s.]+|[\s.]+$/gu, ''));
