import Sqlite from 'better-sqlite3';

/** Constraints that enforce a rule, with SQLite's message for each. */
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

/** Whether a write failed on one constraint, so that the domain can throw its refusal. */
export const isViolation = (error: unknown, guard: keyof typeof violations): boolean =>
  error instanceof Sqlite.SqliteError && error.message === violations[guard];

/** Whether a write failed on any constraint. */
export const isAnyViolation = (error: unknown): boolean =>
  error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_CONSTRAINT');
