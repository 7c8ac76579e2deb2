-- What an export of a household holds besides rows: authors, refused merges, series, periodicals and
-- their issues. It is kept with its dry run, in the order in which it is read back.

CREATE TABLE ImportationReste (
  importationId INTEGER NOT NULL REFERENCES Importation (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  kind TEXT NOT NULL,
  -- JSON: the record as the export holds it.
  content TEXT NOT NULL,
  PRIMARY KEY (importationId, position)
);
