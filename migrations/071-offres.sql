-- Who gives what somebody else wishes for: all of the house may know but the wish's owner. No part of any record, act or
-- export, and no foreign key: nothing that its owner does or undoes tells of it. It is over while its wish is gone.

CREATE TABLE Offre (
  souhaitId INTEGER NOT NULL,
  utilisateur TEXT NOT NULL CHECK (utilisateur <> ''),
  nom TEXT NOT NULL CHECK (nom <> ''),
  PRIMARY KEY (souhaitId, utilisateur)
) STRICT, WITHOUT ROWID;
