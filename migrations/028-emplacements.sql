-- Where books stand: a tree of rooms, shelves and boxes. That none is inside itself, and how deep the tree
-- is, is held by the code that writes `parentId`. Nothing is emptied by a deletion: what stood there is sent
-- elsewhere before, in the same act.
--
-- `nomNormalise` is unique in its parent; `position` is an order of which only the sequence counts. `fermeLe`
-- is since when a box is packed.

CREATE TABLE Emplacement (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  nom TEXT NOT NULL CHECK (nom <> ''),
  nomNormalise TEXT NOT NULL CHECK (nomNormalise <> ''),
  parentId INTEGER REFERENCES Emplacement (id) CHECK (parentId <> id),
  note TEXT CHECK (note <> ''),
  position INTEGER NOT NULL DEFAULT 0 CHECK (typeof(position) = 'integer' AND position >= 0),
  fermeLe TEXT CHECK (fermeLe <> '')
);

CREATE UNIQUE INDEX Emplacement_nom ON Emplacement (coalesce(parentId, 0), nomNormalise);
CREATE INDEX Emplacement_parent ON Emplacement (parentId);

ALTER TABLE Livre ADD COLUMN emplacementId INTEGER REFERENCES Emplacement (id);

CREATE INDEX Livre_emplacement ON Livre (emplacementId) WHERE emplacementId IS NOT NULL;

CREATE TRIGGER Emplacement_ajoute AFTER INSERT ON Emplacement BEGIN
  INSERT INTO Ligne VALUES ('emplacements', new.id, '', 0);
END;

CREATE TRIGGER Emplacement_modifie AFTER UPDATE ON Emplacement BEGIN
  INSERT INTO Ligne VALUES ('emplacements', new.id, '', 0);
END;

CREATE TRIGGER Emplacement_supprime AFTER DELETE ON Emplacement BEGIN
  INSERT INTO Ligne VALUES ('emplacements', old.id, '', 1);
END;

CREATE TRIGGER Emplacement_id_fixe BEFORE UPDATE OF id ON Emplacement WHEN new.id <> old.id BEGIN
  SELECT raise(ABORT, 'Emplacement.id never changes');
END;
