-- What merging authors has to remember.

-- A refused merge: two people, the lower id first, so that it holds in both directions. Their
-- records stay for as long as it does; a merge takes the refusals of the absorbed one along.
CREATE TABLE FusionRefusee (
  premierId INTEGER NOT NULL REFERENCES Auteur (id) ON DELETE RESTRICT,
  secondId INTEGER NOT NULL REFERENCES Auteur (id) ON DELETE RESTRICT,
  PRIMARY KEY (premierId, secondId),
  CHECK (premierId < secondId)
) WITHOUT ROWID;

CREATE INDEX FusionRefusee_second ON FusionRefusee (secondId);

-- The full form of a name that is shown abbreviated, because it is the more presentable one
-- (« J. Martin » stands before « JEAN MARTIN »). Unknown to readers and to replication.
ALTER TABLE Auteur ADD COLUMN formePleine TEXT CHECK (formePleine <> '');
