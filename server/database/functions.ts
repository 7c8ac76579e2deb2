import type Database from 'better-sqlite3';
import { lireIsbn } from '#shared/isbn';
import { cleOeuvre, cleRegroupement, normaliser } from '#shared/text';
import { nomLePlusPresentable } from '#server/auteurs/nom';

/**
 * Gives SQL the rules of `shared/`, so that a migration says them no second time. What is NULL
 * or no text gives NULL. Stored triggers and indexes use none of them: the file stays readable
 * by any SQLite.
 */
export function registerFunctions(db: Database.Database): void {
  define(db, 'normaliser', normaliser);
  define(db, 'cle_regroupement', cleRegroupement);
  define(db, 'cle_oeuvre', cleOeuvre);
  define(db, 'lire_isbn', lireIsbn);
  define(db, 'texte_net', (texte) => texte.normalize('NFC').trim() || null);
  db.aggregate<string[]>('nom_le_plus_presentable', {
    deterministic: true,
    directOnly: true,
    start: () => [],
    step: (noms, nom) => {
      noms.push(nom);
    },
    result: nomLePlusPresentable,
  });
}

function define(db: Database.Database, name: string, rule: (texte: string) => string | null): void {
  db.function(name, { deterministic: true, directOnly: true }, (valeur: unknown) =>
    typeof valeur === 'string' ? rule(valeur) : null,
  );
}
