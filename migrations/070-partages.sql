-- What a reader shows to the house, each by a switch of their own; who shows nothing has no row. `nom` is what a
-- sign-on calls them.

CREATE TABLE Partage (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  utilisateur TEXT NOT NULL UNIQUE CHECK (utilisateur <> ''),
  nom TEXT CHECK (nom <> ''),
  lectures INTEGER NOT NULL CHECK (lectures IN (0, 1)),
  souhaits INTEGER NOT NULL CHECK (souhaits IN (0, 1)),
  CHECK (lectures OR souhaits)
);

-- The journal

CREATE TRIGGER Partage_ajoute AFTER INSERT ON Partage BEGIN
  INSERT INTO Ligne VALUES ('partages', new.id, '', 0);
END;

CREATE TRIGGER Partage_modifie AFTER UPDATE ON Partage BEGIN
  INSERT INTO Ligne VALUES ('partages', new.id, '', 0);
END;

CREATE TRIGGER Partage_supprime AFTER DELETE ON Partage BEGIN
  INSERT INTO Ligne VALUES ('partages', old.id, '', 1);
END;

CREATE TRIGGER Partage_id_fixe BEFORE UPDATE OF id, utilisateur ON Partage
WHEN new.id <> old.id OR new.utilisateur <> old.utilisateur BEGIN
  SELECT raise(ABORT, 'Partage.id and its owner never change');
END;

-- Only what is shown is told: a line for what nobody sees would say that something was noted.

CREATE TRIGGER Lecture_montree AFTER INSERT ON Lecture
WHEN new.debut IS NOT NULL AND new.fin IS NULL AND NOT new.abandon BEGIN
  INSERT INTO Ligne SELECT 'partages', id, '', 0 FROM Partage WHERE utilisateur = new.utilisateur AND lectures;
END;

CREATE TRIGGER Lecture_remontree AFTER UPDATE OF livreId, titre, debut, fin, abandon ON Lecture
WHEN ((new.debut IS NOT NULL AND new.fin IS NULL AND NOT new.abandon)
    OR (old.debut IS NOT NULL AND old.fin IS NULL AND NOT old.abandon))
  AND (new.livreId IS NOT old.livreId OR new.titre <> old.titre OR new.debut IS NOT old.debut
    OR new.fin IS NOT old.fin OR new.abandon <> old.abandon) BEGIN
  INSERT INTO Ligne SELECT 'partages', id, '', 0 FROM Partage WHERE utilisateur = new.utilisateur AND lectures;
END;

CREATE TRIGGER Lecture_cachee AFTER DELETE ON Lecture
WHEN old.debut IS NOT NULL AND old.fin IS NULL AND NOT old.abandon BEGIN
  INSERT INTO Ligne SELECT 'partages', id, '', 0 FROM Partage WHERE utilisateur = old.utilisateur AND lectures;
END;

-- A reading is called what its book is called, while that is there.

CREATE TRIGGER Livre_montre AFTER INSERT ON Livre BEGIN
  INSERT INTO Ligne SELECT 'partages', p.id, '', 0 FROM Partage p
  WHERE p.lectures AND EXISTS (
    SELECT 1 FROM Lecture l
    WHERE l.livreId = new.id AND l.utilisateur = p.utilisateur
      AND l.debut IS NOT NULL AND l.fin IS NULL AND NOT l.abandon);
END;

CREATE TRIGGER Livre_remontre AFTER UPDATE OF titre ON Livre WHEN new.titre <> old.titre BEGIN
  INSERT INTO Ligne SELECT 'partages', p.id, '', 0 FROM Partage p
  WHERE p.lectures AND EXISTS (
    SELECT 1 FROM Lecture l
    WHERE l.livreId = new.id AND l.utilisateur = p.utilisateur
      AND l.debut IS NOT NULL AND l.fin IS NULL AND NOT l.abandon);
END;

CREATE TRIGGER Livre_cache AFTER DELETE ON Livre BEGIN
  INSERT INTO Ligne SELECT 'partages', p.id, '', 0 FROM Partage p
  WHERE p.lectures AND EXISTS (
    SELECT 1 FROM Lecture l
    WHERE l.livreId = old.id AND l.utilisateur = p.utilisateur
      AND l.debut IS NOT NULL AND l.fin IS NULL AND NOT l.abandon);
END;

-- All of a wish is shown, its cover too.
CREATE TRIGGER Souhait_montre AFTER INSERT ON Journal WHEN new.collection = 'souhaits' AND new.id > 0 BEGIN
  INSERT INTO Ligne SELECT 'partages', id, '', 0 FROM Partage WHERE utilisateur = new.utilisateur AND souhaits;
END;

-- A member is called what they call themselves.
CREATE TRIGGER Membre_montre AFTER UPDATE OF nom ON Membre WHEN new.nom <> old.nom BEGIN
  INSERT INTO Ligne SELECT 'partages', id, '', 0 FROM Partage WHERE utilisateur = new.identifiant;
END;
