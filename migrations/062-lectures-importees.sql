-- A row of an import may be a reading and no book of the house: sold, or lent by a library.

ALTER TABLE ImportationNombres ADD COLUMN lectures INTEGER NOT NULL DEFAULT 0;

-- The outcomes of a row are a constraint, which only a new table can widen.
CREATE TABLE ImportationLigne_062 (
  importationId INTEGER NOT NULL REFERENCES Importation (id) ON DELETE CASCADE,
  ligne INTEGER NOT NULL,
  sort TEXT NOT NULL CHECK (sort IN ('nouveau', 'present', 'souhait', 'lecture', 'refuse')),
  livreId INTEGER,
  raison TEXT,
  -- 1 while the catalogues are to be asked, 2 once none has answered.
  pending INTEGER NOT NULL DEFAULT 0 CHECK (pending IN (0, 1, 2)),
  -- JSON: the row as it was understood, and the cells of a refused one.
  content TEXT NOT NULL,
  cells TEXT,
  made TEXT,
  PRIMARY KEY (importationId, ligne)
);

INSERT INTO ImportationLigne_062 (importationId, ligne, sort, livreId, raison, pending, content, cells, made)
SELECT importationId, ligne, sort, livreId, raison, pending, content, cells, made FROM ImportationLigne;

DROP TABLE ImportationLigne;
ALTER TABLE ImportationLigne_062 RENAME TO ImportationLigne;

CREATE INDEX ImportationLigne_pending ON ImportationLigne (importationId) WHERE pending = 1;
CREATE INDEX ImportationLigne_sort ON ImportationLigne (importationId, sort, ligne);

CREATE TRIGGER ImportationLigne_ajoutee AFTER INSERT ON ImportationLigne
WHEN new.sort = 'refuse' OR new.pending = 1 BEGIN
  UPDATE ImportationNombres
  SET nombreRefuses = nombreRefuses + (new.sort = 'refuse'), enRecherche = enRecherche + (new.pending = 1)
  WHERE importationId = new.importationId;
END;

CREATE TRIGGER ImportationLigne_decidee AFTER UPDATE OF sort, pending ON ImportationLigne BEGIN
  UPDATE ImportationNombres
  SET nombreRefuses = nombreRefuses + (new.sort = 'refuse') - (old.sort = 'refuse'),
    enRecherche = enRecherche + (new.pending = 1) - (old.pending = 1)
  WHERE importationId = new.importationId;
END;

CREATE TRIGGER ImportationLigne_supprimee AFTER DELETE ON ImportationLigne
WHEN old.sort = 'refuse' OR old.pending = 1 BEGIN
  UPDATE ImportationNombres
  SET nombreRefuses = nombreRefuses - (old.sort = 'refuse'), enRecherche = enRecherche - (old.pending = 1)
  WHERE importationId = old.importationId;
END;
