-- The household's year told a couple each other's count: it goes, with who agreed to it.
DROP TABLE AccordAnnee;

-- When a member was removed, in milliseconds since 1970: their lists wait thirty days for them. NULL: for good, as was said
-- to who was removed before this.
ALTER TABLE Depart ADD COLUMN date INTEGER;

-- Wrong codes on a device since the last right one, under way too: after five the session is over, whatever else fails.
ALTER TABLE Session ADD COLUMN codesFaux INTEGER NOT NULL DEFAULT 0;

-- Whether it was opened under HTTPS: then its cookie is never sent without.
ALTER TABLE Session ADD COLUMN sousHttps INTEGER NOT NULL DEFAULT 0 CHECK (sousHttps IN (0, 1));
