-- Passkeys of members: public keys only, whose secrets never leave the devices that made them. None is replicated, part
-- of an act or exported. Times are milliseconds since 1970.

-- `hote` is the name of the site that it was made for, and serves for alone; `userHandle` is what an authenticator calls the
-- member by; `signCount` is its last signature count, 0 for one that does not count.
CREATE TABLE CleAcces (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  membreId INTEGER NOT NULL REFERENCES Membre (id) ON DELETE CASCADE,
  credentialId TEXT NOT NULL UNIQUE,
  publicKey BLOB NOT NULL,
  userHandle TEXT NOT NULL,
  hote TEXT NOT NULL,
  signCount INTEGER NOT NULL,
  transports TEXT NOT NULL,
  nom TEXT NOT NULL CHECK (nom <> ''),
  debut INTEGER NOT NULL,
  vue INTEGER
) STRICT;

CREATE INDEX CleAcces_membre ON CleAcces (membreId);
