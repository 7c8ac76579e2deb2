import { Numero } from '#shared/numeros';
import { textKey } from '#shared/text';
import {
  documentSource,
  insertRow,
  readDocument,
  updateRow,
  writeList,
} from '#server/plumbing/database/columns';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import { renewRows } from '#server/plumbing/database/renewal';
import { COVER } from '#server/subjects/couvertures/image';

export const numeroSource = documentSource('Numero', Numero, {
  themes: `(SELECT json_group_array(t.nom ORDER BY nt.position)
    FROM NumeroTheme nt JOIN Theme t ON t.id = nt.themeId WHERE nt.numeroId = d.id)`,
  articles: `(SELECT json_group_array(a.titre ORDER BY a.position)
    FROM Article a WHERE a.numeroId = d.id)`,
  couverture: COVER,
});

/** The key by which a periodical has each issue once. */
export const numeroKeys = ({ numero }: Pick<Numero, 'numero'>) => ({
  numeroNormalise: textKey(numero),
});

/** The columns of an issue that its entry decides. */
export type NumeroFields = Omit<Numero, 'id' | 'revueId' | 'themes' | 'articles' | 'couverture'> &
  ReturnType<typeof numeroKeys>;

export function readNumero(database: Reader, id: number): Numero | undefined {
  return readDocument(database, numeroSource, 'WHERE d.id = ?', id);
}

/** The issue of a periodical with a normalised number. */
export function numeroByKey(
  database: Reader,
  revueId: number,
  numeroNormalise: string,
): Pick<Numero, 'id' | 'numero'> | undefined {
  return database.get<Pick<Numero, 'id' | 'numero'>>(
    'SELECT id, numero FROM Numero WHERE revueId = ? AND numeroNormalise = ?',
    revueId,
    numeroNormalise,
  );
}

/** Inserts an issue, without its lists, and returns its id; may violate `Numero_unique`. */
export const insertNumero = (
  database: Transaction,
  revueId: number,
  numero: NumeroFields,
): number => insertRow(database, 'Numero', { ...numero, revueId });

/** Rewrites an issue, without its lists; may violate `Numero_unique`. */
export const updateNumero = (database: Transaction, id: number, numero: NumeroFields): void =>
  updateRow(database, 'Numero', id, numero);

/** Takes from an issue the picture that a person sent; its address's is shown then. */
export const dropSentCover = (database: Transaction, id: number): void =>
  updateRow(database, 'Numero', id, { couvertureCle: null });

/** Deletes an issue; returns whether there was one. */
export const deleteNumero = (database: Transaction, id: number): boolean =>
  database.run('DELETE FROM Numero WHERE id = ?', id).changes > 0;

/** Replaces an issue's articles, in order; writes nothing where they are the same. */
export function writeArticles(
  database: Transaction,
  numeroId: number,
  titres: readonly string[],
): void {
  const list = { table: 'Article', record: 'numeroId', entry: 'titre' };
  writeList(database, list, numeroId, titres);
}

/** A step of the start-up pass: the keys as the rules make them; a taken one stays as it is. */
export const renormaliserNumeros = (database: Transaction): boolean =>
  renewRows<NumeroFields & { id: number }>(database, 'Numero', numeroKeys);
