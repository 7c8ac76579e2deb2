-- Periodicals and their issues, which are recorded only: neither lent nor read, both of which lead
-- to a book.

-- An ISSN has no check of its form: one whose canonical form is taken keeps its own.
CREATE TABLE Revue (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  titre TEXT NOT NULL CHECK (titre <> ''),
  issn TEXT CHECK (issn <> '')
);

CREATE UNIQUE INDEX Revue_issn_unique ON Revue (issn) WHERE issn IS NOT NULL;

-- `date` is a day, a month or a year. `numeroNormalise` stands for itself where the number has
-- neither letter nor digit.
CREATE TABLE Numero (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  revueId INTEGER NOT NULL REFERENCES Revue (id) ON DELETE CASCADE,
  numero TEXT NOT NULL CHECK (numero <> ''),
  numeroNormalise TEXT NOT NULL,
  date TEXT CHECK (date GLOB '[0-9][0-9][0-9][0-9]' OR date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]'
    OR date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  coverUrl TEXT,
  une TEXT,
  resume TEXT
);

CREATE UNIQUE INDEX Numero_unique ON Numero (revueId, numeroNormalise);

-- One vocabulary for all issues. A theme that no issue has any more is taken away by the code that
-- writes issues, not by a trigger: rewriting an issue takes each out and puts it back.
CREATE TABLE Theme (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  nom TEXT NOT NULL CHECK (nom <> ''),
  nomNormalise TEXT NOT NULL
);

CREATE UNIQUE INDEX Theme_unique ON Theme (nomNormalise);

CREATE TABLE NumeroTheme (
  numeroId INTEGER NOT NULL REFERENCES Numero (id) ON DELETE CASCADE,
  themeId INTEGER NOT NULL REFERENCES Theme (id) ON DELETE RESTRICT,
  position INTEGER NOT NULL CHECK (position >= 0),
  PRIMARY KEY (numeroId, themeId),
  UNIQUE (numeroId, position)
) WITHOUT ROWID;

CREATE INDEX NumeroTheme_theme ON NumeroTheme (themeId);

-- The titles of feature articles belong to their issue and are shared with none.
CREATE TABLE Article (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  numeroId INTEGER NOT NULL REFERENCES Numero (id) ON DELETE CASCADE,
  position INTEGER NOT NULL CHECK (position >= 0),
  titre TEXT NOT NULL CHECK (titre <> ''),
  UNIQUE (numeroId, position)
);

-- The journal. The document of an issue holds its themes by name and its articles.

CREATE TRIGGER Revue_ajoute AFTER INSERT ON Revue BEGIN
  INSERT INTO Ligne VALUES ('revues', new.id, '', 0);
END;

CREATE TRIGGER Revue_modifie AFTER UPDATE ON Revue BEGIN
  INSERT INTO Ligne VALUES ('revues', new.id, '', 0);
END;

CREATE TRIGGER Revue_supprime AFTER DELETE ON Revue BEGIN
  INSERT INTO Ligne VALUES ('revues', old.id, '', 1);
END;

CREATE TRIGGER Revue_id_fixe BEFORE UPDATE OF id ON Revue WHEN new.id <> old.id BEGIN
  SELECT raise(ABORT, 'Revue.id never changes');
END;

CREATE TRIGGER Numero_ajoute AFTER INSERT ON Numero BEGIN
  INSERT INTO Ligne VALUES ('numeros', new.id, '', 0);
END;

CREATE TRIGGER Numero_modifie AFTER UPDATE ON Numero BEGIN
  INSERT INTO Ligne VALUES ('numeros', new.id, '', 0);
END;

CREATE TRIGGER Numero_supprime AFTER DELETE ON Numero BEGIN
  INSERT INTO Ligne VALUES ('numeros', old.id, '', 1);
END;

CREATE TRIGGER Numero_id_fixe BEFORE UPDATE OF id ON Numero WHEN new.id <> old.id BEGIN
  SELECT raise(ABORT, 'Numero.id never changes');
END;

CREATE TRIGGER NumeroTheme_ajoute AFTER INSERT ON NumeroTheme BEGIN
  INSERT INTO Ligne VALUES ('numeros', new.numeroId, '', 0);
END;

CREATE TRIGGER NumeroTheme_modifie AFTER UPDATE ON NumeroTheme BEGIN
  INSERT INTO Ligne VALUES ('numeros', old.numeroId, '', 0);
  INSERT INTO Ligne VALUES ('numeros', new.numeroId, '', 0);
END;

CREATE TRIGGER NumeroTheme_supprime AFTER DELETE ON NumeroTheme
WHEN EXISTS (SELECT 1 FROM Numero WHERE id = old.numeroId) BEGIN
  INSERT INTO Ligne VALUES ('numeros', old.numeroId, '', 0);
END;

CREATE TRIGGER Theme_renomme AFTER UPDATE OF nom ON Theme WHEN new.nom <> old.nom BEGIN
  INSERT INTO Ligne SELECT 'numeros', numeroId, '', 0 FROM NumeroTheme WHERE themeId = new.id;
END;

CREATE TRIGGER Theme_id_fixe BEFORE UPDATE OF id ON Theme WHEN new.id <> old.id BEGIN
  SELECT raise(ABORT, 'Theme.id never changes');
END;

CREATE TRIGGER Article_ajoute AFTER INSERT ON Article BEGIN
  INSERT INTO Ligne VALUES ('numeros', new.numeroId, '', 0);
END;

CREATE TRIGGER Article_modifie AFTER UPDATE ON Article BEGIN
  INSERT INTO Ligne VALUES ('numeros', old.numeroId, '', 0);
  INSERT INTO Ligne VALUES ('numeros', new.numeroId, '', 0);
END;

CREATE TRIGGER Article_supprime AFTER DELETE ON Article
WHEN EXISTS (SELECT 1 FROM Numero WHERE id = old.numeroId) BEGIN
  INSERT INTO Ligne VALUES ('numeros', old.numeroId, '', 0);
END;
