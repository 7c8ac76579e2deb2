import { expect, test } from 'vitest';
import type { Transaction } from '#server/plumbing/database/connection';
import {
  saveModification,
  captureChangeset,
  captureLargeChangeset,
} from '#server/subjects/modifications/changesets';
import { openHouse } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';

function write(tx: Transaction): void {
  // Not in the order of keys, some rows several times, and one back to its first value.
  tx.run("UPDATE Livre SET editeur = 'Un éditeur' WHERE id = 3");
  tx.run("UPDATE Livre SET editeur = 'Un autre' WHERE id = 1");
  tx.run('UPDATE Livre SET editeur = NULL WHERE id = 1');
  tx.run('UPDATE Place SET position = position + 10');
  tx.run("INSERT INTO Place (serieId, titre, position) VALUES (1, 'Entre deux', 11)");
  tx.run('UPDATE Place SET position = 13 WHERE livreId = 2');
  tx.run("INSERT INTO Statut (livreId, utilisateur, statut) VALUES (2, 'alice', 1)");
  tx.run('DELETE FROM Livre WHERE id = 4');
  // A row inserted here is recorded in its final state; one that is deleted again, not at all.
  const insert =
    "INSERT INTO Livre (titre, titreNormalise, cleOeuvre, format, dateAjout) VALUES (?, '', '', 'Physique', '2020-01-01T00:00:00.000Z')";
  const { lastInsertRowid: made } = tx.run(insert, 'La Chatte');
  tx.run('INSERT INTO LivreAuteur SELECT ?, auteurId, 0 FROM LivreAuteur WHERE livreId = 1', made);
  tx.run("INSERT INTO Statut (livreId, utilisateur, statut) VALUES (?, 'alice', 1)", made);
  tx.run('DELETE FROM Livre WHERE id = ?', tx.run(insert, 'Perdu').lastInsertRowid);
}

/** Everything stored about these writes as a modification. */
async function recordWrites(trace: typeof captureChangeset | typeof captureLargeChangeset) {
  const house = await openHouse();
  for (const titre of ['Sido', 'Chéri', 'Mitsou', 'Gigi']) await ajouterLivre(house, { titre });
  const places = [1, 2, 3].map((livreId) => ({ titre: `Tome ${livreId}`, livreId }));
  await house.ask('alice', 'POST', '/api/series', { titre: 'Suite', places });
  const { database, records } = house.context;
  database.write((tx) => tx.run("UPDATE Livre SET dateAjout = '2020-01-01T00:00:00.000Z'"));
  const { id, changes } = database.write((tx) => {
    const open = trace(records.within(tx), () => write(tx));
    saveModification(records.within(tx), open, {
      operation: 'lot',
      message: { fait: 'livresModifies', livres: 2 },
      utilisateur: 'alice',
    });
    return open;
  });
  return {
    count: changes.length,
    // A large modification records its inserted rows last.
    lines: database.all(
      'SELECT nom, cle, avant, apres, entraine FROM Trace WHERE acte = ? ORDER BY nom, cle, seq',
      id,
    ),
    act: database.get('SELECT proprietaire, arguments FROM Modification WHERE id = ?', id),
  };
}

test('an act of very many rows is kept as one of few', async () => {
  const kept = await recordWrites(captureLargeChangeset);
  expect(kept).toEqual(await recordWrites(captureChangeset));
  expect(kept.lines).toContainEqual(expect.objectContaining({ nom: 'Ordre' }));
});
