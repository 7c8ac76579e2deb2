-- Saved searches: criteria under a name. `utilisateur` is '' where a selection is the house's. One
-- that is given to the house changes its owner: it goes from the one's copy before it comes to
-- everyone's.
CREATE TABLE Selection (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  utilisateur TEXT NOT NULL,
  nom TEXT NOT NULL CHECK (nom <> ''),
  nomNormalise TEXT NOT NULL,
  criteres TEXT NOT NULL CHECK (json_valid(criteres)),
  accueil INTEGER NOT NULL DEFAULT 0 CHECK (accueil IN (0, 1)),
  position INTEGER NOT NULL DEFAULT 0 CHECK (typeof(position) = 'integer' AND position >= 0)
);

CREATE UNIQUE INDEX Selection_unique ON Selection (utilisateur, nomNormalise);

-- The journal

CREATE TRIGGER Selection_ajoute AFTER INSERT ON Selection BEGIN
  INSERT INTO Ligne VALUES ('selections', new.id, new.utilisateur, 0);
END;

CREATE TRIGGER Selection_modifie AFTER UPDATE ON Selection BEGIN
  INSERT INTO Ligne SELECT 'selections', old.id, old.utilisateur, 1
    WHERE old.utilisateur <> new.utilisateur;
  INSERT INTO Ligne VALUES ('selections', new.id, new.utilisateur, 0);
END;

CREATE TRIGGER Selection_supprime AFTER DELETE ON Selection BEGIN
  INSERT INTO Ligne VALUES ('selections', old.id, old.utilisateur, 1);
END;

CREATE TRIGGER Selection_id_fixe BEFORE UPDATE OF id ON Selection WHEN new.id <> old.id BEGIN
  SELECT raise(ABORT, 'Selection.id never changes');
END;
