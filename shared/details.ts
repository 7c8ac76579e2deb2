import { Type, type Static } from 'typebox';
import { textOf, type ChangeReader } from './change-reader.ts';
import type { Message } from './history.ts';
import { detailKey } from './detail-names.ts';
import { endpoint } from './endpoint.ts';
import { Count, MAX_LENGTHS, text } from './fields.ts';
import { beginningOf, compareText, searchForm, textKey } from './text.ts';

export const MAX_DETAILS = 30;
export const MAX_DETAIL_NOM = 60;

/** A custom field of a book, under a name chosen by the household (docs/rules.md § 56). */
export const Detail = Type.Object({
  nom: text(MAX_DETAIL_NOM),
  /** Keeps its line breaks. */
  valeur: text(MAX_LENGTHS.freeText),
});
export type Detail = Static<typeof Detail>;

export const detailsByKey = <D extends Pick<Detail, 'nom'>>(
  details: readonly D[],
): ReadonlyMap<string, D> => new Map(details.map((detail) => [detailKey(detail.nom), detail]));

/** The separator of a name and a value in the criterion `detail`. */
const COLON = /:/g;

/**
 * Tests whether a book matches a criterion: `Traduction:Lise Marchand`, or a name alone for any value (docs/rules.md
 * § 56). Compared by keys; names and values may contain colons.
 */
export function detailMatcher(critere: string): (details: readonly Detail[]) => boolean {
  const wanted = new Map<string, Set<string>>();
  for (const { index } of critere.matchAll(COLON)) {
    const nom = detailKey(critere.slice(0, index).trim());
    const valeurs = wanted.get(nom) ?? new Set();
    wanted.set(nom, valeurs.add(textKey(critere.slice(index + 1).trim())));
  }
  const alone = detailKey(critere);
  // Few names and few values are used again and again.
  const valeursOf = keepingAll((nom: string) => {
    const key = detailKey(nom);
    return key === alone ? ANY : wanted.get(key);
  });
  const keyOf = keepingAll(textKey);
  return (details) =>
    details.some(({ nom, valeur }) => {
      const valeurs = valeursOf(nom);
      return valeurs !== undefined && (valeurs === ANY || valeurs.has(keyOf(valeur)));
    });
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', ':': '\\:', '\n': '\\n' };

/** Details in one cell of a table, one a line: « Poids : 300 g », escaped as `\\`, `\:` and `\n`. */
export const restText = (details: readonly Detail[]): string =>
  details
    .map(({ nom, valeur }) => {
      const [name, value] = [nom.replace(/[\\:]/g, escaped), valeur.replace(/[\\\n]/g, escaped)];
      return `${name}: ${value}`;
    })
    .join('\n');

const escaped = (character: string): string => ESCAPES[character] ?? character;

/** Parses the text of `restText`; `null` for any other text. */
export function parseRestText(text: string): Detail[] | null {
  const details: Detail[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, nom, valeur] = /^((?:[^\\:]|\\.)+): ?(.*)$/.exec(line) ?? [];
    if (nom === undefined || valeur === undefined) return null;
    details.push({ nom: unescaped(nom), valeur: unescaped(valeur) });
  }
  return details;
}

const unescaped = (text: string): string =>
  text.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character));

/** The keys of the names that a criterion may mean, since names may contain colons. */
export const namedByCritere = (critere: string): string[] => [
  detailKey(critere),
  ...Array.from(critere.matchAll(COLON), ({ index }) => detailKey(critere.slice(0, index))),
];

const ANY: ReadonlySet<string> = new Set();

function keepingAll<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, { readonly found: T }>();
  return (text) => {
    let one = known.get(text);
    if (one === undefined) known.set(text, (one = { found: read(text) }));
    return one.found;
  };
}

/** How many characters of a value, and of all values of a book, are searched (docs/rules.md § 6). */
const MAX_SEARCHED = { valeur: 2_000, livre: 6_000 };

/** The searched part of each value, cut at the end of a word. */
export function searchedParts(details: readonly Detail[]): string[] {
  let left = MAX_SEARCHED.livre;
  return details.map(({ valeur }) => {
    const part = wholeWords(valeur, Math.min(MAX_SEARCHED.valeur, left));
    left -= part.length;
    return part;
  });
}

function wholeWords(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = most;
  while (end > 0 && !/\s/.test(text.charAt(end))) end--;
  return end === 0 ? beginningOf(text, most) : text.slice(0, end);
}

/** The maximal length of `searchedParts`. */
export const searchedLength = (details: readonly Detail[]): number =>
  Math.min(
    details.reduce((sum, { valeur }) => sum + Math.min(valeur.length, MAX_SEARCHED.valeur), 0),
    MAX_SEARCHED.livre,
  );

/** The normalised values of details, one a line. */
export const searchedDetails = (details: readonly Detail[]): string =>
  searchedParts(details).map(searchForm).join('\n');

/** A name of details in the household: how many books have it, and how many values differ. */
export const NomDeDetail = Type.Object({
  nom: Detail.properties.nom,
  livres: Count,
  valeurs: Count,
});
export type NomDeDetail = Static<typeof NomDeDetail>;

/** The names of some books, each as it is spelt first, by name. */
export function countDetails(
  livres: Iterable<{ readonly details: readonly Detail[] }>,
): NomDeDetail[] {
  const noms = new Map<string, { nom: string; livres: number; valeurs: Set<string> }>();
  const nomKeyOf = keepingAll(detailKey);
  const keyOf = keepingAll(textKey);
  for (const { details } of livres)
    for (const { nom, valeur } of details) {
      const key = nomKeyOf(nom);
      const known = noms.get(key) ?? { nom, livres: 0, valeurs: new Set() };
      known.livres++;
      // Long values, such as summaries, are assumed to be unique.
      known.valeurs.add(valeur.length > MAX_COMPARED_LENGTH ? valeur : keyOf(valeur));
      noms.set(key, known);
    }
  return [...noms.entries()]
    .sort(([a], [b]) => compareText(a, b))
    .map(([, { nom, livres: count, valeurs }]) => ({ nom, livres: count, valeurs: valeurs.size }));
}

const MAX_COMPARED_LENGTH = 200;

export const listerDetails = endpoint({
  method: 'GET',
  path: '/api/details',
  summary: 'Les noms des détails des livres, par nom : leurs livres, leurs valeurs différentes.',
  response: Type.Array(NomDeDetail),
});

/** The former name of a detail and the number of changed books. */
const DetailChange = Type.Object({ ancien: Detail.properties.nom, livres: Count });

const describeRenaming = ({ answer }: ChangeReader): Message => ({
  fait: 'detailRenomme',
  avant: textOf(answer['ancien']),
  apres: textOf(answer['nom']),
});

export const renommerDetail = endpoint({
  method: 'PUT',
  path: '/api/details',
  modification: { operation: 'renommerDetail', message: describeRenaming },
  summary:
    'Renomme un détail dans tous les livres ; sous le nom d’un autre, les deux n’en font plus qu’un, et un livre qui a les deux garde les deux valeurs.',
  body: Type.Object({ nom: Detail.properties.nom, nouveau: Detail.properties.nom }),
  response: Type.Object({ ...DetailChange.properties, nom: Detail.properties.nom }),
});

const describeDeletion = ({ answer }: ChangeReader): Message => ({
  fait: 'detailRetire',
  detail: textOf(answer['ancien']),
  livres: Number(answer['livres']),
});

export const supprimerDetail = endpoint({
  method: 'DELETE',
  path: '/api/details',
  modification: { operation: 'supprimerDetail', message: describeDeletion },
  summary: 'Retire un détail de tous les livres, avec ses valeurs.',
  query: Type.Object({ nom: Detail.properties.nom }),
  response: DetailChange,
});
