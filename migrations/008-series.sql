-- Series and their places. A series may hold others, in any depth; that none is inside itself is
-- held by the code that writes `parentId`, since no CHECK can follow a chain.
--
-- `position` is one order for the places and the sub-series of a series: a stored reading order,
-- of which only the sequence counts. That of a series on no other's list says nothing.

CREATE TABLE Serie (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  titre TEXT NOT NULL CHECK (titre <> ''),
  parentId INTEGER REFERENCES Serie (id) ON DELETE SET NULL CHECK (parentId <> id),
  position INTEGER NOT NULL DEFAULT 0 CHECK (typeof(position) = 'integer' AND position >= 0)
);

CREATE INDEX Serie_parent ON Serie (parentId);

-- A place is no book: it keeps its title when its book goes. One without a book is a missing volume.
CREATE TABLE Place (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  serieId INTEGER NOT NULL REFERENCES Serie (id) ON DELETE CASCADE,
  position INTEGER NOT NULL CHECK (typeof(position) = 'integer' AND position >= 0),
  titre TEXT NOT NULL CHECK (titre <> ''),
  numero TEXT CHECK (numero <> ''),
  livreId INTEGER REFERENCES Livre (id) ON DELETE SET NULL,
  auteur TEXT CHECK (auteur <> ''),
  isbn TEXT CHECK (length(isbn) = 13)
);

CREATE INDEX Place_serie ON Place (serieId);
CREATE INDEX Place_livre ON Place (livreId);

-- The journal. The document of a series holds its places and the titles of its sub-series; a series
-- that is itself going leaves its own line.

CREATE TRIGGER Serie_ajoute AFTER INSERT ON Serie BEGIN
  INSERT INTO Ligne VALUES ('series', new.id, '', 0);
  INSERT INTO Ligne SELECT 'series', id, '', 0 FROM Serie WHERE id = new.parentId;
END;

CREATE TRIGGER Serie_modifie AFTER UPDATE ON Serie BEGIN
  INSERT INTO Ligne VALUES ('series', new.id, '', 0);
  INSERT INTO Ligne SELECT 'series', id, '', 0 FROM Serie
  WHERE id IN (old.parentId, new.parentId)
    AND (old.parentId IS NOT new.parentId OR old.titre <> new.titre
      OR old.position <> new.position);
END;

CREATE TRIGGER Serie_supprime AFTER DELETE ON Serie BEGIN
  INSERT INTO Ligne VALUES ('series', old.id, '', 1);
  INSERT INTO Ligne SELECT 'series', id, '', 0 FROM Serie WHERE id = old.parentId;
END;

CREATE TRIGGER Serie_id_fixe BEFORE UPDATE OF id ON Serie WHEN new.id <> old.id BEGIN
  SELECT raise(ABORT, 'Serie.id never changes');
END;

CREATE TRIGGER Place_ajoute AFTER INSERT ON Place BEGIN
  INSERT INTO Ligne VALUES ('series', new.serieId, '', 0);
END;

CREATE TRIGGER Place_modifie AFTER UPDATE ON Place BEGIN
  INSERT INTO Ligne VALUES ('series', old.serieId, '', 0);
  INSERT INTO Ligne VALUES ('series', new.serieId, '', 0);
END;

CREATE TRIGGER Place_supprime AFTER DELETE ON Place
WHEN EXISTS (SELECT 1 FROM Serie WHERE id = old.serieId) BEGIN
  INSERT INTO Ligne VALUES ('series', old.serieId, '', 0);
END;
