-- Imports of files (docs/rules.md § 35 to 37). A dry run keeps its rows for a day, an import for
-- thirty, so that it can be undone. `utilisateur` is '' for an unknown caller; dates are in
-- milliseconds since 1970.

CREATE TABLE Importation (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  utilisateur TEXT NOT NULL,
  date INTEGER NOT NULL,
  etat TEXT NOT NULL CHECK (etat IN ('lecture', 'essai', 'faite', 'annulee')),
  nom TEXT,
  format TEXT NOT NULL,
  encodage TEXT NOT NULL,
  aLire TEXT NOT NULL CHECK (aLire IN ('statut', 'souhait')),
  -- JSON: the headers of the file, the mapping of a table, the counts, and what the import made.
  headers TEXT NOT NULL,
  colonnes TEXT,
  counts TEXT NOT NULL,
  made TEXT
);

CREATE TABLE ImportationLigne (
  importationId INTEGER NOT NULL REFERENCES Importation (id) ON DELETE CASCADE,
  ligne INTEGER NOT NULL,
  sort TEXT NOT NULL CHECK (sort IN ('nouveau', 'present', 'souhait', 'refuse')),
  livreId INTEGER,
  raison TEXT,
  -- 1 while the catalogues are to be asked, 2 once none has answered.
  pending INTEGER NOT NULL DEFAULT 0 CHECK (pending IN (0, 1, 2)),
  -- JSON: the row as it was understood, and the cells of a refused one.
  content TEXT NOT NULL,
  cells TEXT,
  PRIMARY KEY (importationId, ligne)
);

CREATE INDEX ImportationLigne_pending ON ImportationLigne (importationId) WHERE pending = 1;

-- Which columns a table of unknown origin was read by, by the digest of its header.
CREATE TABLE ImportationColonnes (
  signature TEXT PRIMARY KEY,
  colonnes TEXT NOT NULL
);

-- The words of the authors' names: a new name is compared with those that share its last word.
CREATE TABLE AuteurMot (
  auteurId INTEGER NOT NULL REFERENCES Auteur (id) ON DELETE CASCADE,
  mot TEXT NOT NULL,
  PRIMARY KEY (mot, auteurId)
) WITHOUT ROWID;

CREATE INDEX AuteurMot_auteur ON AuteurMot (auteurId);

-- A grouping key is words between blanks; a name without a letter is its own key, whatever it holds.
CREATE TRIGGER AuteurMot_ajoute AFTER INSERT ON Auteur BEGIN
  INSERT INTO AuteurMot
  SELECT DISTINCT new.id, json_each.value
  FROM json_each('[' || replace(json_quote(new.cleRegroupement), ' ', '","') || ']');
END;

CREATE TRIGGER AuteurMot_modifie AFTER UPDATE OF cleRegroupement ON Auteur
WHEN new.cleRegroupement <> old.cleRegroupement BEGIN
  DELETE FROM AuteurMot WHERE auteurId = new.id;
  INSERT INTO AuteurMot
  SELECT DISTINCT new.id, json_each.value
  FROM json_each('[' || replace(json_quote(new.cleRegroupement), ' ', '","') || ']');
END;

INSERT INTO AuteurMot
SELECT DISTINCT Auteur.id, json_each.value
FROM Auteur, json_each('[' || replace(json_quote(cleRegroupement), ' ', '","') || ']');
