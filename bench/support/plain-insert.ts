import type { LivreDocument } from '#shared/livres';
import { cleOeuvre, cleRegroupement, normaliser } from '#shared/text';
import type { Database } from '#server/plumbing/database/database';
import type { Transaction } from '#server/plumbing/database/connection';

interface Rows {
  readonly auteurs: ReadonlyMap<string, { id: number; nom: string; nomNormalise: string }>;
  readonly livres: readonly (LivreDocument & { cleOeuvre: string; keys: readonly string[] })[];
}

export function rowsOf(livres: readonly LivreDocument[]): Rows {
  const auteurs = new Map<string, { id: number; nom: string; nomNormalise: string }>();
  for (const { auteurs: named } of livres)
    for (const { nom } of named) {
      const key = cleRegroupement(nom);
      if (!auteurs.has(key))
        auteurs.set(key, { id: auteurs.size + 1, nom, nomNormalise: normaliser(nom) });
    }
  const rows = livres.map((livre) => ({
    ...livre,
    cleOeuvre: cleOeuvre(livre.titre),
    keys: [...new Set(livre.auteurs.map(({ nom }) => cleRegroupement(nom)))],
  }));
  return { auteurs, livres: rows };
}

/** Writes books and authors by one plain INSERT per row, without any rule; `each` adds rows to a book. */
export function insertRows(
  database: Transaction,
  { auteurs, livres }: Rows,
  each: (id: number) => void = () => undefined,
): void {
  const auteur = database.prepare<[number, string, string, string]>(
    'INSERT INTO Auteur (id, nom, nomNormalise, cleRegroupement) VALUES (?, ?, ?, ?)',
  );
  const livre = database.prepare<[number, string, string, string]>(
    `INSERT INTO Livre (id, titre, titreNormalise, cleOeuvre, format, dateAjout)
     VALUES (?, ?, ?, ?, 'Physique', '2026-01-01T00:00:00.000Z')`,
  );
  const link = database.prepare<[number, number, number]>(
    'INSERT INTO LivreAuteur (livreId, auteurId, position) VALUES (?, ?, ?)',
  );
  for (const [key, { id, nom, nomNormalise }] of auteurs) auteur.run(id, nom, nomNormalise, key);
  for (const { id, titre, titreNormalise, cleOeuvre: cle, keys } of livres) {
    livre.run(id, titre, titreNormalise, cle);
    keys.forEach((key, position) => link.run(id, auteurs.get(key)?.id ?? 0, position));
    each(id);
  }
}

export const insertLivres = (database: Database, livres: readonly LivreDocument[]): void =>
  database.write((tx) => insertRows(tx, rowsOf(livres)));
