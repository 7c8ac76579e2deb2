-- The picture of a member's face, small, beside the initial. `cle` names it in its address, and is another one with each
-- picture. None is replicated, part of an act or exported.
CREATE TABLE Portrait (
  membreId INTEGER PRIMARY KEY REFERENCES Membre (id) ON DELETE CASCADE,
  cle TEXT NOT NULL UNIQUE,
  image BLOB NOT NULL
) STRICT;
