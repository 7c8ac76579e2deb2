-- What an import counts stands apart from what is as long as its file, and each warning in a row of its own: a list of
-- imports reads numbers alone, and one of a hundred thousand warnings is read by pages.

CREATE TABLE ImportationNombres (
  importationId INTEGER PRIMARY KEY REFERENCES Importation (id) ON DELETE CASCADE,
  nouveaux INTEGER NOT NULL,
  presents INTEGER NOT NULL,
  souhaits INTEGER NOT NULL,
  completes INTEGER NOT NULL,
  statuts INTEGER NOT NULL,
  prets INTEGER NOT NULL,
  series INTEGER NOT NULL,
  notes INTEGER NOT NULL,
  datesDeLecture INTEGER NOT NULL,
  -- Kept by the triggers below.
  nombreRefuses INTEGER NOT NULL DEFAULT 0,
  enRecherche INTEGER NOT NULL DEFAULT 0
);

INSERT INTO ImportationNombres
SELECT id,
  coalesce(counts ->> '$.ofRows.nouveaux', 0), coalesce(counts ->> '$.ofRows.presents', 0),
  coalesce(counts ->> '$.ofRows.souhaits', 0), coalesce(counts ->> '$.ofRows.completes', 0),
  coalesce(counts ->> '$.ofRows.statuts', 0), coalesce(counts ->> '$.ofRows.prets', 0),
  coalesce(counts ->> '$.ofRows.series', 0), coalesce(counts ->> '$.ofRows.notes', 0),
  coalesce(counts ->> '$.ofRows.datesDeLecture', 0),
  (SELECT count(*) FROM ImportationLigne WHERE importationId = Importation.id AND sort = 'refuse'),
  (SELECT count(*) FROM ImportationLigne WHERE importationId = Importation.id AND pending = 1)
FROM Importation;

CREATE TABLE ImportationAvertissement (
  id INTEGER PRIMARY KEY,
  importationId INTEGER NOT NULL REFERENCES Importation (id) ON DELETE CASCADE,
  ligne INTEGER NOT NULL,
  raison TEXT NOT NULL,
  UNIQUE (importationId, raison, ligne)
);

CREATE INDEX ImportationAvertissement_ligne ON ImportationAvertissement (importationId, ligne);

INSERT OR IGNORE INTO ImportationAvertissement (importationId, ligne, raison)
SELECT Importation.id, said.value ->> 'ligne', said.value ->> 'raison'
FROM Importation, json_each(counts, '$.avertissements') AS said
ORDER BY Importation.id, said.key;

UPDATE Importation SET counts = json_remove(counts, '$.ofRows', '$.avertissements');

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
