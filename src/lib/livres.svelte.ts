import type { Presents } from '#shared/catalogue';
import * as livres from '#shared/livres';
import type { Criteres, Livre, LivreDocument, LivreSaisi, PretOuvert } from '#shared/livres';
import type { Statut } from '#shared/statuts';
import { ecrire } from './ecriture.ts';
import { lesVues } from './vues.svelte.ts';

/**
 * The household's books as this device holds them, reactive. Everything is answered from memory:
 * neither the network nor IndexedDB is asked.
 */
export const bibliotheque = {
  /** True once the device holds a whole copy; until then the list fills, or waits for a network. */
  get pret(): boolean {
    return lesVues().pret;
  },
  /** How many records the first synchronisation has received; `null` when none is under way. */
  get progression(): { readonly recus: number } | null {
    return lesVues().progression;
  },
  /** How many books there are, whatever the criteria. */
  get nombre(): number {
    return lesVues().catalogue.nombre;
  },
  /** Which values of each filter the stock has: one with a single value is not worth showing. */
  get presents(): Presents {
    return lesVues().catalogue.presents;
  },
  /** The books that answer the criteria, by title. */
  chercher(criteres: Criteres): readonly LivreDocument[] {
    const { catalogue, statuts } = lesVues();
    return catalogue.chercher(criteres, statuts);
  },
  livre(id: number): LivreDocument | undefined {
    return lesVues().catalogue.livre(id);
  },
  /** The copies under an ISBN-13, bare, by title. */
  parIsbn(isbn13: string): readonly LivreDocument[] {
    return lesVues().catalogue.parIsbn(isbn13);
  },
  pretOuvert(livreId: number): PretOuvert | null {
    return lesVues().catalogue.pretOuvert(livreId);
  },
  /** The reader's own status; `null` is « not started ». */
  statut(livreId: number): Statut | null {
    return lesVues().statuts.get(livreId) ?? null;
  },
};

/** Adds a book. Throws the refusal `DOUBLON` with `similaires` unless the duplicate is confirmed. */
export const ajouterLivre = (
  saisie: LivreSaisi,
  { confirmerDoublon = false } = {},
): Promise<Livre> => ecrire(livres.ajouterLivre, { query: { confirmerDoublon }, body: saisie });

/** Rewrites a whole book: what `saisie` leaves out is cleared. */
export const modifierLivre = (id: number, saisie: LivreSaisi): Promise<Livre> =>
  ecrire(livres.modifierLivre, { params: { id }, body: saisie });

/** Deletes a book. Throws the refusal `LIVRE_PRETE` while it is lent. */
export const supprimerLivre = (id: number): Promise<undefined> =>
  ecrire(livres.supprimerLivre, { params: { id } });
