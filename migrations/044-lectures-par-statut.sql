-- The day on which a status gave a reading its beginning or its end: a status set by mistake takes back that day what
-- it has noted (docs/rules.md § 55).

ALTER TABLE Lecture ADD COLUMN debutParStatut TEXT CHECK (debutParStatut <> '');
ALTER TABLE Lecture ADD COLUMN finParStatut TEXT CHECK (finParStatut <> '');
