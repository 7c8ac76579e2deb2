import { sourceNames } from '$lib/format/sources';
import { m } from '$lib/paraglide/messages';
import type { LivreEntry } from '$lib/records/livres/kind.svelte';
import { splitTokens } from '$lib/ui/form/text-entry.svelte';
import type { Edition } from '#shared/candidats';
import type { LivreDocument } from '#shared/livres';
import { printedCode } from './livre-question.svelte.ts';

/** The content of a book's card, from any source. */
export interface CardBook {
  readonly titre: string;
  readonly auteurs: readonly string[];
  /** Publisher; year and pages; code: a line each. */
  readonly edition: readonly string[];
  readonly coverUrl: string | null;
  readonly isComic: boolean;
}

interface EditionTexts {
  readonly editeur: string | null;
  readonly annee: number | string | null;
  readonly nombrePages: number | null;
}

function editionLines({ editeur, annee, nombrePages }: EditionTexts): string[] {
  const pages = nombrePages === null ? '' : m.count_pages({ count: nombrePages });
  const facts = [annee === null ? '' : String(annee), pages].filter((text) => text !== '');
  return [editeur ?? '', facts.join(' · ')].filter((text) => text !== '');
}

/** From the present values of the form. */
export function cardOfEntry(entry: LivreEntry, coverUrl: string | null = null): CardBook {
  const pages = Number(entry.text('nombrePages'));
  return {
    titre: entry.text('titre').trim(),
    auteurs: splitTokens(entry.text('auteurs')),
    edition: editionLines({
      editeur: entry.text('editeur').trim(),
      annee: entry.text('annee').trim(),
      nombrePages: pages > 0 ? pages : null,
    }),
    coverUrl: entry.text('coverUrl').trim() || coverUrl,
    isComic: entry.text('typeDocument') === 'BandeDessinee',
  };
}

/** For one of several editions, with its code. */
export function cardOfEdition(edition: Edition): CardBook {
  const { titre, auteurs, isbn, coverUrl, typeDocument } = edition;
  const lines = editionLines(edition);
  return {
    titre,
    auteurs,
    coverUrl,
    isComic: typeDocument === 'BandeDessinee',
    edition: isbn === null ? lines : [...lines, printedCode(isbn)],
  };
}

export const cardOfLivre = (livre: LivreDocument): CardBook => ({
  titre: livre.titre,
  auteurs: livre.auteurs.map(({ nom }) => nom),
  edition: editionLines(livre),
  coverUrl: null,
  isComic: livre.typeDocument === 'BandeDessinee',
});

/** « BnF, Open Library ». */
export const sourceOf = ({ sources }: Edition): string =>
  sources.map((source) => sourceNames[source]()).join(', ');
