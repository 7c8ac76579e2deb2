-- Which book of the household a record of an archive is, so that the same archive taken in again
-- adds nothing, whatever ids its books have here.
CREATE TABLE ImportationOrigine (
  bibliotheque TEXT NOT NULL,
  origineId INTEGER NOT NULL,
  livreId INTEGER NOT NULL REFERENCES Livre (id) ON DELETE CASCADE,
  PRIMARY KEY (bibliotheque, origineId)
) WITHOUT ROWID;

CREATE INDEX ImportationOrigine_livreId ON ImportationOrigine (livreId);
