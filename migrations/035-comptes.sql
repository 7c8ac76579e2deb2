-- Who reads where no sign-on says so: the members of the house, and what gives a request their name. Nothing of it
-- is replicated, part of an act or exported. Of each secret there is a hash only. Times are milliseconds since 1970.

-- `identifiant` is what statuses and wishes belong to (`utilisateur`); `exclu`: shut out, but not gone.
CREATE TABLE Membre (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  identifiant TEXT NOT NULL UNIQUE CHECK (identifiant <> ''),
  nom TEXT NOT NULL CHECK (nom <> ''),
  gere INTEGER NOT NULL CHECK (gere IN (0, 1)),
  exclu INTEGER NOT NULL DEFAULT 0 CHECK (exclu IN (0, 1)),
  motDePasse TEXT,
  code TEXT
) STRICT;

-- Whoever has the token becomes the member that it names, or takes the place of `membreId`, who has forgotten
-- the password. The one of the first start names nobody.
CREATE TABLE Invitation (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  jeton BLOB NOT NULL UNIQUE,
  membreId INTEGER UNIQUE REFERENCES Membre (id) ON DELETE CASCADE,
  identifiant TEXT UNIQUE,
  nom TEXT,
  gere INTEGER NOT NULL CHECK (gere IN (0, 1)),
  fin INTEGER NOT NULL
) STRICT;

-- A member signed in on a device. Those of one device share its token; one of them at most reads.
CREATE TABLE Session (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  jeton BLOB NOT NULL,
  membreId INTEGER NOT NULL REFERENCES Membre (id) ON DELETE CASCADE,
  actif INTEGER NOT NULL CHECK (actif IN (0, 1)),
  appareil TEXT NOT NULL,
  debut INTEGER NOT NULL,
  vue INTEGER NOT NULL,
  UNIQUE (jeton, membreId)
) STRICT;

CREATE UNIQUE INDEX Session_actif ON Session (jeton) WHERE actif = 1;
CREATE INDEX Session_membre ON Session (membreId);

-- A key for scripts. It belongs to a name, since whom a sign-on names is no member.
CREATE TABLE Cle (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  jeton BLOB NOT NULL UNIQUE,
  utilisateur TEXT NOT NULL,
  nom TEXT NOT NULL,
  ecrit INTEGER NOT NULL CHECK (ecrit IN (0, 1)),
  debut INTEGER NOT NULL,
  vue INTEGER
) STRICT;

CREATE INDEX Cle_utilisateur ON Cle (utilisateur);
