import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';

/** Two authors by their ids, the lower one first. */
export type IdPair = readonly [number, number];

export const idPair = (a: number, b: number): IdPair => (a < b ? [a, b] : [b, a]);

export function listRefus(database: Reader): IdPair[] {
  return database
    .all<{ premierId: number; secondId: number }>('SELECT premierId, secondId FROM FusionRefusee')
    .map(({ premierId, secondId }) => [premierId, secondId]);
}

/** Stores a refused merge; a known one stays as it is. */
export function insertRefus(database: Transaction, [first, second]: IdPair): void {
  database.run(
    'INSERT INTO FusionRefusee (premierId, secondId) VALUES (?, ?) ON CONFLICT DO NOTHING',
    first,
    second,
  );
}

export function deleteRefus(database: Transaction, [first, second]: IdPair): void {
  database.run('DELETE FROM FusionRefusee WHERE premierId = ? AND secondId = ?', first, second);
}

/**
 * Replaces one author by another and deletes it. A book that names both keeps the earlier
 * position. Refused merges pass to the one kept, except that between the two.
 */
export function replaceAuteur(database: Transaction, absorbed: number, kept: number): void {
  database.run(
    `DELETE FROM LivreAuteur
       WHERE auteurId IN (@absorbed, @kept) AND EXISTS (
         SELECT 1 FROM LivreAuteur other
         WHERE other.livreId = LivreAuteur.livreId
           AND other.auteurId IN (@absorbed, @kept)
           AND other.position < LivreAuteur.position)`,
    { absorbed, kept },
  );
  database.run('UPDATE LivreAuteur SET auteurId = ? WHERE auteurId = ?', kept, absorbed);
  transferRefus(database, absorbed, kept);
  database.run('DELETE FROM Auteur WHERE id = ?', absorbed);
}

function transferRefus(database: Transaction, absorbed: number, kept: number): void {
  const pairs = listRefus(database).filter((pair) => pair.includes(absorbed));
  database.run('DELETE FROM FusionRefusee WHERE premierId = ? OR secondId = ?', absorbed, absorbed);
  for (const [first, second] of pairs) {
    const other = first === absorbed ? second : first;
    if (other !== kept) insertRefus(database, idPair(other, kept));
  }
}
