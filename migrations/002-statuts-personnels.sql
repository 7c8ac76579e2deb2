-- A reading status belongs to one person. The shared one becomes that of whoever added the book;
-- where nobody did, it goes. No row at all means « not started », which is not 0.

CREATE TABLE Statut (
  livreId INTEGER NOT NULL REFERENCES Livre (id) ON DELETE CASCADE,
  utilisateur TEXT NOT NULL CHECK (utilisateur <> ''),
  statut INTEGER NOT NULL CHECK (statut IN (0, 1, 2)),
  PRIMARY KEY (livreId, utilisateur)
) WITHOUT ROWID;

CREATE INDEX Statut_utilisateur ON Statut (utilisateur);

INSERT INTO Statut (livreId, utilisateur, statut)
SELECT id, trim(ajoutePar), statut
FROM Livre
WHERE trim(ajoutePar) <> '' AND typeof(statut) = 'integer' AND statut IN (0, 1, 2);

ALTER TABLE Livre DROP COLUMN statut;
