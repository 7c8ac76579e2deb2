-- The networks from which members have signed in, an address or a /64: others' wrong tries do not lock a member out there.
-- It opens nothing. `vue` in milliseconds since 1970. None is replicated, part of an act or exported.
CREATE TABLE ReseauConnu (
  membreId INTEGER NOT NULL REFERENCES Membre (id) ON DELETE CASCADE,
  reseau TEXT NOT NULL,
  vue INTEGER NOT NULL,
  PRIMARY KEY (membreId, reseau)
) STRICT;

CREATE INDEX ReseauConnu_reseau ON ReseauConnu (reseau);

-- Whether another member was ever signed in on the session's device: whoever reads there may be anybody of the house, even
-- once the others have signed out.
ALTER TABLE Session ADD COLUMN partagee INTEGER NOT NULL DEFAULT 0 CHECK (partagee IN (0, 1));
UPDATE Session SET partagee = 1
WHERE jeton IN (SELECT jeton FROM Session GROUP BY jeton HAVING count(*) > 1);
