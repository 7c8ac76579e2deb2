-- The pictures that a dry run has brought: nothing else names them until it is made real, and they go with it.
CREATE TABLE ImportationCouverture (
  importationId INTEGER NOT NULL REFERENCES Importation (id) ON DELETE CASCADE,
  cle TEXT NOT NULL,
  PRIMARY KEY (importationId, cle)
) WITHOUT ROWID;
