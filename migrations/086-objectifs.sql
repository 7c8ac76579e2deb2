-- How much a reader means to read in a year, by books or by pages: one goal a year.
CREATE TABLE Objectif (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  utilisateur TEXT NOT NULL CHECK (utilisateur <> ''),
  annee TEXT NOT NULL CHECK (annee LIKE '____'),
  unite TEXT NOT NULL CHECK (unite IN ('livres', 'pages')),
  nombre INTEGER NOT NULL CHECK (typeof(nombre) = 'integer' AND nombre BETWEEN 1 AND 1000000)
);

CREATE UNIQUE INDEX Objectif_unique ON Objectif (utilisateur, annee);

-- The journal

CREATE TRIGGER Objectif_ajoute AFTER INSERT ON Objectif BEGIN
  INSERT INTO Ligne VALUES ('objectifs', new.id, new.utilisateur, 0);
END;

CREATE TRIGGER Objectif_modifie AFTER UPDATE ON Objectif BEGIN
  INSERT INTO Ligne VALUES ('objectifs', new.id, new.utilisateur, 0);
END;

CREATE TRIGGER Objectif_supprime AFTER DELETE ON Objectif BEGIN
  INSERT INTO Ligne VALUES ('objectifs', old.id, old.utilisateur, 1);
END;

CREATE TRIGGER Objectif_id_fixe BEFORE UPDATE OF id, utilisateur ON Objectif
WHEN new.id <> old.id OR new.utilisateur <> old.utilisateur BEGIN
  SELECT raise(ABORT, 'Objectif.id and its owner never change');
END;
