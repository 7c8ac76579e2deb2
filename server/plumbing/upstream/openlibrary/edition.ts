import { MAX_LENGTHS } from '#shared/fields';
import { parseIsbn } from '#shared/isbn';
import { MAX_NOMBRE_PAGES } from '#shared/livres';
import type { SourceRecord } from '#server/plumbing/upstream/answers';
import { parseNombrePages } from '#server/plumbing/upstream/nombre-pages';
import { parseAnnee, truncate } from '#server/plumbing/upstream/text';
import { toText, toTexts, type Document } from './documents.ts';

/** Reads an edition; `null` for one without a title. Its authors are records of their own. */
export function parseEdition(edition: Document, auteurs: readonly string[]): SourceRecord | null {
  const titre = fullTitre(edition);
  if (titre === null) return null;
  return {
    id: toText(edition['key']) || null,
    titre,
    auteurs,
    editeur: truncate(toTexts(edition['publishers'])[0] ?? '', MAX_LENGTHS.nom),
    annee: parseAnnee(toText(edition['publish_date'])),
    nombrePages: nombrePagesOf(edition),
    isbns: isbnsOf(edition),
  };
}

/** The title and the subtitle, which is a field of its own, joined as the BnF writes both. */
export function fullTitre(document: Document): string | null {
  const parts = [document['title'], document['subtitle']];
  const given = parts.flatMap((part) => truncate(toText(part), MAX_LENGTHS.titre) ?? []);
  return truncate(given.join(' : '), MAX_LENGTHS.titre);
}

/** The valid ISBNs of an edition; either list may be absent. */
export function isbnsOf(edition: Document): string[] {
  const codes = [...toTexts(edition['isbn_13']), ...toTexts(edition['isbn_10'])];
  return [...new Set(codes.flatMap((code) => parseIsbn(code) ?? []))];
}

/** `number_of_pages` counts all pages; `pagination` may count the numbered ones only. */
function nombrePagesOf(edition: Document): number | null {
  const count = edition['number_of_pages'];
  const isCount = typeof count === 'number' && Number.isInteger(count) && count >= 1;
  if (isCount && count <= MAX_NOMBRE_PAGES) return count;
  return parseNombrePages(toText(edition['pagination']));
}
