import Sqlite from 'better-sqlite3';

/** The guards of the schema that stand behind a rule, and how SQLite names their violation. */
const violations = {
  Pret_ouvert_unique: 'UNIQUE constraint failed: Pret.livreId',
  Auteur_cle_unique: 'UNIQUE constraint failed: Auteur.cleRegroupement',
  Souhait_unique:
    'UNIQUE constraint failed: Souhait.utilisateur, Souhait.cleOeuvre, Souhait.auteurNormalise',
  RevueSouhaitee_unique:
    'UNIQUE constraint failed: RevueSouhaitee.utilisateur, RevueSouhaitee.cleOeuvre, RevueSouhaitee.numeroNormalise',
  Revue_issn_unique: 'UNIQUE constraint failed: Revue.issn',
  Numero_unique: 'UNIQUE constraint failed: Numero.revueId, Numero.numeroNormalise',
  Statut_unique: 'UNIQUE constraint failed: Statut.livreId, Statut.utilisateur',
} as const;

/** Tells whether a write failed on one guard, so that the domain can throw its rule's refusal. */
export const isViolation = (error: unknown, guard: keyof typeof violations): boolean =>
  error instanceof Sqlite.SqliteError && error.message === violations[guard];

/** Tells whether a write failed on a guard of the schema, whichever. */
export const isAnyViolation = (error: unknown): boolean =>
  error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_CONSTRAINT');
