import type Database from 'better-sqlite3';
import { couvertureDe, SITE_DES_COUVERTURES } from '#shared/couvertures';
import { lireIsbn } from '#shared/isbn';
import { lireIssn } from '#shared/issn';
import { nomLePlusPresentable } from '#shared/nom-presentable';
import { cleOeuvre, cleRegroupement, cleTexte, cleTitre, normaliser } from '#shared/text';

/**
 * Gives SQL the rules of `shared/`, so that a migration says them no second time. What is NULL
 * or no text gives NULL. Stored triggers and indexes use none of them: the file stays readable
 * by any SQLite.
 *
 * @param couvertures the site of the covers that stand in for missing ones
 */
export function registerFunctions(db: Database.Database, couvertures = SITE_DES_COUVERTURES): void {
  define(db, 'normaliser', normaliser);
  define(db, 'cle_regroupement', cleRegroupement);
  define(db, 'cle_oeuvre', cleOeuvre);
  define(db, 'cle_titre', cleTitre);
  define(db, 'cle_texte', cleTexte);
  define(db, 'lire_isbn', lireIsbn);
  define(db, 'lire_issn', lireIssn);
  define(db, 'couverture_de_secours', (isbn) => couvertureDe(couvertures, isbn));
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
