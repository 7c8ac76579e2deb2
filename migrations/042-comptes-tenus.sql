-- The household's year told a couple each other's count: it goes, with who agreed to it.
DROP TABLE AccordAnnee;

-- When a member was removed, in milliseconds since 1970: their lists wait thirty days for them. NULL: for good, as was said
-- to who was removed before this.
ALTER TABLE Depart ADD COLUMN date INTEGER;

-- Wrong codes on a device since the last right one, under way too: after five the session is over, whatever else fails.
ALTER TABLE Session ADD COLUMN codesFaux INTEGER NOT NULL DEFAULT 0;

-- Whether it was opened under HTTPS: then its cookie is never sent without.
ALTER TABLE Session ADD COLUMN sousHttps INTEGER NOT NULL DEFAULT 0 CHECK (sousHttps IN (0, 1));

-- Who was shut out and had a way in of their own, which is gone: they come back by an invitation, never by their name at
-- a provider. So does whoever was let in again before this and has none.
ALTER TABLE Membre ADD COLUMN aInviter INTEGER NOT NULL DEFAULT 0 CHECK (aInviter IN (0, 1));
UPDATE Membre SET aInviter = 1
WHERE motDePasse IS NULL
  AND id NOT IN (SELECT membreId FROM CleAcces)
  AND id NOT IN (SELECT membreId FROM CompteFournisseur WHERE membreId IS NOT NULL);

-- Devices on which somebody was signed in, by the hash of what their browser keeps: where passwords wait to be compared,
-- theirs come first. It opens nothing. `vue` in milliseconds since 1970.
CREATE TABLE Appareil (
  jeton BLOB PRIMARY KEY,
  vue INTEGER NOT NULL
) STRICT;
