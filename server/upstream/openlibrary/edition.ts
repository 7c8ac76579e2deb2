import { LONGUEURS } from '#shared/fields';
import { lireIsbn } from '#shared/isbn';
import { NOMBRE_PAGES_MAXIMUM } from '#shared/livres';
import { anneeDe } from '#server/upstream/annee';
import type { Fiche } from '#server/upstream/fiche';
import { nombreDePages } from '#server/upstream/pages';
import { borner } from '#server/upstream/texte';
import { texte, textes, type Document } from './documents.ts';

/** Reads an edition; `null` for one without a title. Its authors stand in other records. */
export function lireEdition(edition: Document, auteurs: readonly string[]): Fiche | null {
  const titre = titreEntier(edition);
  if (titre === null) return null;
  return {
    id: texte(edition['key']) || null,
    titre,
    auteurs,
    editeur: borner(textes(edition['publishers'])[0] ?? '', LONGUEURS.nom),
    annee: anneeDe(texte(edition['publish_date'])),
    nombrePages: pages(edition),
    isbns: isbnsDe(edition),
  };
}

/** The subtitle stands apart from the title: put together as the BnF writes both. */
export function titreEntier(document: Document): string | null {
  const parties = [document['title'], document['subtitle']];
  const dites = parties.flatMap((partie) => borner(texte(partie), LONGUEURS.titre) ?? []);
  return borner(dites.join(' : '), LONGUEURS.titre);
}

/** Either list may be absent. */
export function isbnsDe(edition: Document): string[] {
  const codes = [...textes(edition['isbn_13']), ...textes(edition['isbn_10'])];
  return [...new Set(codes.flatMap((code) => lireIsbn(code) ?? []))];
}

/** `number_of_pages` is the count of the whole; `pagination` may speak of the numbered ones only. */
function pages(edition: Document): number | null {
  const nombre = edition['number_of_pages'];
  const compte = typeof nombre === 'number' && Number.isInteger(nombre) && nombre >= 1;
  if (compte && nombre <= NOMBRE_PAGES_MAXIMUM) return nombre;
  return nombreDePages(texte(edition['pagination']));
}
