-- Which person of a provider of OpenID Connect is which member: by what the provider calls them for good, since people may
-- choose the name that it tells. None is replicated, part of an act or exported.

-- `membreId` is NULL for who was removed: they come back by an invitation alone.
CREATE TABLE CompteFournisseur (
  issuer TEXT NOT NULL,
  sub TEXT NOT NULL,
  membreId INTEGER UNIQUE REFERENCES Membre (id) ON DELETE SET NULL,
  PRIMARY KEY (issuer, sub)
) STRICT;

-- The identifiers of members who were removed: no provider makes a member of one, whose lists still wait under it.
CREATE TABLE Depart (
  identifiant TEXT PRIMARY KEY
) STRICT;

-- Whether a session was opened at the provider, where it can be ended, too.
ALTER TABLE Session ADD COLUMN parFournisseur INTEGER NOT NULL DEFAULT 0 CHECK (parFournisseur IN (0, 1));

-- Who has invited: what they left open goes with them. NULL for the first code, and for the operator's command.
ALTER TABLE Invitation ADD COLUMN inviteParId INTEGER REFERENCES Membre (id) ON DELETE CASCADE;
