import type { PresentValues } from '#shared/catalogue';
import type { Criteres, LivreDocument, OpenPret, Order } from '#shared/livres';
import { isPersonalTri } from '#shared/sort';
import type { Serie } from '#shared/series';
import type { Statut } from '#shared/statuts';
import { lecturesView } from '../lectures/view.svelte.ts';
import { views } from '$lib/sync/views.svelte';

/**
 * The household's books as this device holds them, reactive. Reads memory only: no network and no
 * IndexedDB.
 */
export const livresView = {
  /** True once the device holds a whole copy. */
  get isReady(): boolean {
    return views().isReady;
  },
  /** How many records the first synchronisation has received; `null` when none is under way. */
  get progress(): { readonly received: number } | null {
    return views().progress;
  },
  /** How many books there are, whatever the criteria. */
  get count(): number {
    return views().catalogue.size;
  },
  /** The values of each filter that occur among the books. */
  get presentValues(): PresentValues {
    return views().catalogue.presentValues;
  },
  /** The books that match the criteria, by title unless said otherwise (docs/rules.md § 6). */
  search(criteres: Criteres & Order): readonly LivreDocument[] {
    const { catalogue, statuts } = views();
    const lus = isPersonalTri(criteres.tri ?? 'titre') ? lecturesView.lus : undefined;
    return catalogue.search(criteres, statuts, lus);
  },
  /** The books that were added last, so many at most. */
  newest: (count: number): readonly LivreDocument[] => views().catalogue.newest(count),
  get(id: number): LivreDocument | undefined {
    return views().catalogue.livre(id);
  },
  /** The copies with this ISBN (13 digits, no hyphens), by title. */
  byIsbn(isbn13: string): readonly LivreDocument[] {
    return views().catalogue.livresByIsbn(isbn13);
  },
  /** The series under which a book stands in the order by series. */
  serieOf(livreId: number): Serie | null {
    return views().catalogue.serieOf(livreId);
  },
  openPret(livreId: number): OpenPret | null {
    return views().catalogue.openPret(livreId);
  },
  /** The caller's own reading status; `null` is « not started ». */
  statut(livreId: number): Statut | null {
    return views().statuts.get(livreId) ?? null;
  },
};

/** The title of a book, for a sentence; '' where this device does not hold it. */
export const titreOf = (id: number): string => livresView.get(id)?.titre ?? '';
