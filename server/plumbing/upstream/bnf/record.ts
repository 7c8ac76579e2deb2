import { MAX_LENGTHS } from '#shared/fields';
import { parseIsbn } from '#shared/isbn';
import { parseIssn } from '#shared/issn';
import type { SourceRecord } from '#server/plumbing/upstream/answers';
import { parseNombrePages } from '#server/plumbing/upstream/nombre-pages';
import { cleanText, parseAnnee, truncate } from '#server/plumbing/upstream/text';
import { chooseAuteurs, makeComic, parsePerson } from './people.ts';
import type { SruRecord } from './sru.ts';
import type { XmlElement } from './xml.ts';

const DC = 'http://purl.org/dc/elements/1.1/';

type Kind = 'livre' | 'revue' | 'other' | 'unknown';

/** A record of the BnF: what every source tells, its kind, and its ISSNs in the hyphenated form. */
export interface BnfRecord extends SourceRecord {
  readonly kind: Kind;
  readonly issns: readonly string[];
}

/** Reads a record in Dublin Core (docs/rules.md § 24); `null` for one without a title. */
export function parseRecord({ identifier, content }: SruRecord): BnfRecord | null {
  const fields = content.children.filter(({ namespace }) => namespace === DC);
  const texts = (...names: string[]) =>
    fields.filter(({ name }) => names.includes(name)).map(({ text }) => cleanText(text));
  const titre = firstOf(texts('title'), parseTitre);
  if (titre === null) return null;
  const identifiers = texts('identifier');
  const people = texts('creator', 'contributor').flatMap((text) => parsePerson(text) ?? []);
  return {
    id: findArk(identifier ?? '') ?? firstOf(identifiers, findArk),
    titre,
    auteurs: chooseAuteurs(people).flatMap((nom) => truncate(nom, MAX_LENGTHS.nom) ?? []),
    editeur: firstOf(texts('publisher'), parseEditeur),
    annee: firstOf(texts('date'), parseAnnee),
    nombrePages: firstOf(texts('format'), parseNombrePages),
    isbns: isbnsIn(identifiers, texts('description')),
    issns: codesAfter(/^ISSN\s+/iu, identifiers).flatMap((code) => parseIssn(code) ?? []),
    kind: kindOf(fields),
    ...(makeComic(people) ? { typeDocument: 'BandeDessinee' as const } : {}),
  };
}

/**
 * A title without its responsibility, which follows ` / `, and without an edition remark
 * « (Éd. prestige) », which stands before it or in its place; a title that would then be empty stays
 * whole. ` // ` is another mark, and part of the title.
 */
export function parseTitre(text: string): string | null {
  const clean = cleanText(text);
  const titre = clean.split(/\s\/\s/u)[0] ?? '';
  const withoutEdition = titre.split(/\s\[?\(\[?Éd\./u)[0] ?? '';
  return truncate(withoutEdition, MAX_LENGTHS.titre) ?? truncate(clean, MAX_LENGTHS.titre);
}

/** A publisher without its place, which stands in brackets at the end; `null` for « [s.n.] ». */
export function parseEditeur(text: string): string | null {
  const editeur = cleanText(text).replace(/\s*\([^()]*\)$/u, '');
  return /^\[?s\.\s?n\.\]?$/iu.test(editeur) ? null : truncate(editeur, MAX_LENGTHS.nom);
}

/** The ISBNs, and the barcode that may replace one: « Code à barres commercial : EAN … ». */
function isbnsIn(identifiers: readonly string[], descriptions: readonly string[]): string[] {
  const codes = [
    ...codesAfter(/^ISBN\s+/iu, identifiers),
    ...codesAfter(/^.*\bEAN\s+(?=[\d -]+$)/u, descriptions),
  ];
  return [...new Set(codes.flatMap((code) => parseIsbn(code) ?? []))];
}

/** The first word after a label: « ISBN 2-07-040850-7 (br.) ». */
const codesAfter = (label: RegExp, texts: readonly string[]): string[] =>
  texts
    .filter((text) => label.test(text))
    .map((text) => text.replace(label, '').split(' ')[0] ?? '');

/** The record's permanent identifier, in whatever address it stands. */
const findArk = (text: string): string | null => /ark:\/\d+\/\w+/u.exec(text)?.[0] ?? null;

/** By the French type only: the English « text » stands on manuscripts and serials as well. */
function kindOf(fields: readonly XmlElement[]): Kind {
  const type = fields.find(
    ({ name, attributes }) => name === 'type' && attributes['xml:lang'] === 'fre',
  );
  const text = cleanText(type?.text ?? '').toLowerCase();
  if (text === '') return 'unknown';
  if (text.startsWith('texte imprimé')) return 'livre';
  return text.startsWith('publication en série') ? 'revue' : 'other';
}

function firstOf<T>(texts: readonly string[], parse: (text: string) => T | null): T | null {
  for (const text of texts) {
    const value = parse(text);
    if (value !== null) return value;
  }
  return null;
}
