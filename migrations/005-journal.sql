-- The journal of replication: one line a document, kept by triggers on every replicated table, so
-- that no write can forget it. `utilisateur` is '' where the document is everyone's.

CREATE TABLE Journal (
  revision INTEGER PRIMARY KEY AUTOINCREMENT,
  collection TEXT NOT NULL,
  id INTEGER NOT NULL,
  utilisateur TEXT NOT NULL,
  supprime INTEGER NOT NULL CHECK (supprime IN (0, 1)),
  UNIQUE (collection, utilisateur, id)
);

-- A page of a pull. The revision, being the row's own number, ends this index and every other.
CREATE INDEX Journal_page ON Journal (collection, utilisateur);

-- What the triggers write to. A line is taken out and put in again, never replaced: the conflict
-- clause of the statement that fires a trigger would win over the trigger's own.
CREATE VIEW Ligne AS SELECT collection, id, utilisateur, supprime FROM Journal;

CREATE TRIGGER Ligne_ajoute INSTEAD OF INSERT ON Ligne BEGIN
  DELETE FROM Journal
  WHERE collection = new.collection AND utilisateur = new.utilisateur AND id = new.id;
  INSERT INTO Journal (collection, id, utilisateur, supprime)
  VALUES (new.collection, new.id, new.utilisateur, new.supprime);
END;

-- Books

CREATE TRIGGER Livre_ajoute AFTER INSERT ON Livre BEGIN
  INSERT INTO Ligne VALUES ('livres', new.id, '', 0);
END;

CREATE TRIGGER Livre_modifie AFTER UPDATE ON Livre BEGIN
  INSERT INTO Ligne VALUES ('livres', new.id, '', 0);
END;

CREATE TRIGGER Livre_supprime AFTER DELETE ON Livre BEGIN
  INSERT INTO Ligne VALUES ('livres', old.id, '', 1);
END;

CREATE TRIGGER Livre_id_fixe BEFORE UPDATE OF id ON Livre WHEN new.id <> old.id BEGIN
  SELECT raise(ABORT, 'Livre.id never changes');
END;

-- The authors of a book are a part of it. A book that is itself going leaves its own line.

CREATE TRIGGER LivreAuteur_ajoute AFTER INSERT ON LivreAuteur BEGIN
  INSERT INTO Ligne VALUES ('livres', new.livreId, '', 0);
END;

CREATE TRIGGER LivreAuteur_modifie AFTER UPDATE ON LivreAuteur BEGIN
  INSERT INTO Ligne VALUES ('livres', old.livreId, '', 0);
  INSERT INTO Ligne VALUES ('livres', new.livreId, '', 0);
END;

CREATE TRIGGER LivreAuteur_supprime AFTER DELETE ON LivreAuteur
WHEN EXISTS (SELECT 1 FROM Livre WHERE id = old.livreId) BEGIN
  INSERT INTO Ligne VALUES ('livres', old.livreId, '', 0);
END;

-- Authors, whose name shows in every book that cites them

CREATE TRIGGER Auteur_ajoute AFTER INSERT ON Auteur BEGIN
  INSERT INTO Ligne VALUES ('auteurs', new.id, '', 0);
END;

CREATE TRIGGER Auteur_modifie AFTER UPDATE ON Auteur BEGIN
  INSERT INTO Ligne VALUES ('auteurs', new.id, '', 0);
END;

CREATE TRIGGER Auteur_supprime AFTER DELETE ON Auteur BEGIN
  INSERT INTO Ligne VALUES ('auteurs', old.id, '', 1);
END;

CREATE TRIGGER Auteur_id_fixe BEFORE UPDATE OF id ON Auteur WHEN new.id <> old.id BEGIN
  SELECT raise(ABORT, 'Auteur.id never changes');
END;

CREATE TRIGGER Auteur_renomme AFTER UPDATE OF nom ON Auteur WHEN new.nom <> old.nom BEGIN
  INSERT INTO Ligne
  SELECT 'livres', livreId, '', 0 FROM LivreAuteur WHERE auteurId = new.id;
END;

-- Loans

CREATE TRIGGER Pret_ajoute AFTER INSERT ON Pret BEGIN
  INSERT INTO Ligne VALUES ('prets', new.id, '', 0);
END;

CREATE TRIGGER Pret_modifie AFTER UPDATE ON Pret BEGIN
  INSERT INTO Ligne VALUES ('prets', new.id, '', 0);
END;

CREATE TRIGGER Pret_supprime AFTER DELETE ON Pret BEGIN
  INSERT INTO Ligne VALUES ('prets', old.id, '', 1);
END;

CREATE TRIGGER Pret_id_fixe BEFORE UPDATE OF id ON Pret WHEN new.id <> old.id BEGIN
  SELECT raise(ABORT, 'Pret.id never changes');
END;

-- Statuses: the document has the book's id and belongs to one person

CREATE TRIGGER Statut_ajoute AFTER INSERT ON Statut BEGIN
  INSERT INTO Ligne VALUES ('statuts', new.livreId, new.utilisateur, 0);
END;

CREATE TRIGGER Statut_modifie AFTER UPDATE ON Statut BEGIN
  INSERT INTO Ligne VALUES ('statuts', old.livreId, old.utilisateur, 1);
  INSERT INTO Ligne VALUES ('statuts', new.livreId, new.utilisateur, 0);
END;

CREATE TRIGGER Statut_supprime AFTER DELETE ON Statut BEGIN
  INSERT INTO Ligne VALUES ('statuts', old.livreId, old.utilisateur, 1);
END;

-- The lines of what is already there

INSERT INTO Ligne SELECT 'auteurs', id, '', 0 FROM Auteur ORDER BY id;
INSERT INTO Ligne SELECT 'livres', id, '', 0 FROM Livre ORDER BY id;
INSERT INTO Ligne SELECT 'prets', id, '', 0 FROM Pret ORDER BY id;
INSERT INTO Ligne SELECT 'statuts', livreId, utilisateur, 0 FROM Statut ORDER BY livreId, utilisateur;

-- The one row about this database: its epoch, drawn here and again when a backup is restored

CREATE TABLE Installation (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  epoque TEXT NOT NULL CHECK (epoque <> '')
);

INSERT INTO Installation (id, epoque) VALUES (1, lower(hex(randomblob(16))));
