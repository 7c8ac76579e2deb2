-- The link to a reader's wish list, for who has no way into the house. Of its secret there is a hash only; `nom` is what
-- a sign-on calls the reader.

CREATE TABLE Liste (
  utilisateur TEXT PRIMARY KEY CHECK (utilisateur <> ''),
  secret BLOB NOT NULL UNIQUE,
  nom TEXT CHECK (nom <> ''),
  date TEXT NOT NULL CHECK (date LIKE '____-__-__T%Z')
) STRICT, WITHOUT ROWID;

-- Whoever gives something by it has a name and nothing else; two of one name are one.
CREATE TABLE OffreDeVisite (
  souhaitId INTEGER NOT NULL,
  cle TEXT NOT NULL CHECK (cle <> ''),
  nom TEXT NOT NULL CHECK (nom <> ''),
  PRIMARY KEY (souhaitId, cle)
) STRICT, WITHOUT ROWID;
