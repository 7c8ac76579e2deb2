import { MAX_LENGTHS } from '#shared/fields';
import { parseIsbn } from '#shared/isbn';
import { MAX_CANDIDATS_BY_TITRE } from '#shared/recherche';
import type { SourceRecord } from '#server/plumbing/upstream/answers';
import { uniqueNoms } from '#server/plumbing/upstream/noms';
import type { Asker } from '#server/plumbing/upstream/queue';
import type { Source } from '#server/plumbing/upstream/source';
import { truncate } from '#server/plumbing/upstream/text';
import { parseNom, readAuteurs } from './auteurs.ts';
import { readDocument, readJson, toArray, toObject, toText, toTexts } from './documents.ts';
import { fullTitre, isbnsOf, parseEdition } from './edition.ts';

/** The edition of an ISBN; not complete where the source stopped answering over its authors. */
interface FoundEdition {
  readonly record: SourceRecord | null;
  readonly isComplete: boolean;
}

const NOTHING: FoundEdition = { record: null, isComplete: true };

/**
 * The edition of an ISBN, with its authors or its work's. One that has other numbers only is left
 * out; one without any number is what the site gave for this one. Throws `SourceUnreachable`.
 */
export async function editionByIsbn(
  openLibrary: Source,
  isbn13: string,
  asker: Asker,
): Promise<FoundEdition> {
  const edition = await readDocument(openLibrary, `/isbn/${isbn13}`, asker);
  if (edition === null || fullTitre(edition) === null) return NOTHING;
  const isbns = isbnsOf(edition);
  if (isbns.length > 0 && !isbns.includes(isbn13)) return NOTHING;
  const { noms, isComplete } = await readAuteurs(openLibrary, edition, asker);
  return { record: parseEdition(edition, noms), isComplete };
}

/**
 * Works whose title has these words. A work has many editions: its year is the first one's, and it
 * has neither publisher nor page count. Throws `SourceUnreachable`.
 */
export async function worksByTitre(
  openLibrary: Source,
  titre: string,
  auteur: string | null,
  asker: Asker,
): Promise<SourceRecord[]> {
  const fields = 'key,title,subtitle,author_name,first_publish_year,isbn';
  const query = { title: titre, author: auteur, fields, limit: MAX_CANDIDATS_BY_TITRE };
  const response = await readJson(openLibrary, '/search.json', query, asker);
  return toArray(response?.['docs']).flatMap((work) => parseWork(work) ?? []);
}

function parseWork(value: unknown): SourceRecord | null {
  const work = toObject(value);
  const titre = fullTitre(work);
  if (titre === null) return null;
  return {
    id: truncate(toText(work['key']), MAX_LENGTHS.code),
    titre,
    auteurs: uniqueNoms(toTexts(work['author_name']).flatMap(parseNom)),
    editeur: null,
    annee: toAnnee(work['first_publish_year']),
    nombrePages: null,
    isbns: toTexts(work['isbn']).flatMap((code) => parseIsbn(code) ?? []),
  };
}

const toAnnee = (value: unknown): number | null =>
  Number.isInteger(value) && Math.abs(Number(value)) <= 3000 ? Number(value) : null;
