-- The journal of replication: one line a document, kept by triggers on every replicated table, so
-- that no write can forget it. `utilisateur` is '' where the document is shared. A line is taken
-- out and put in again, never replaced: the conflict clause of the statement that fires a trigger
-- would win over the trigger's own.

CREATE TABLE Journal (
  revision INTEGER PRIMARY KEY AUTOINCREMENT,
  collection TEXT NOT NULL,
  id INTEGER NOT NULL,
  utilisateur TEXT NOT NULL DEFAULT '',
  supprime INTEGER NOT NULL CHECK (supprime IN (0, 1)),
  UNIQUE (collection, utilisateur, id)
);

-- The page of a pull; `revision`, the row's own number, ends every index.
CREATE INDEX Journal_page ON Journal (collection, utilisateur);

-- Livre

CREATE TRIGGER Livre_ajoute AFTER INSERT ON Livre BEGIN
  DELETE FROM Journal WHERE collection = 'livres' AND utilisateur = '' AND id = new.id;
  INSERT INTO Journal (collection, id, utilisateur, supprime)
  VALUES ('livres', new.id, '', 0);
END;

CREATE TRIGGER Livre_modifie AFTER UPDATE ON Livre BEGIN
  DELETE FROM Journal WHERE collection = 'livres' AND utilisateur = '' AND id = new.id;
  INSERT INTO Journal (collection, id, utilisateur, supprime)
  VALUES ('livres', new.id, '', 0);
END;

CREATE TRIGGER Livre_supprime AFTER DELETE ON Livre BEGIN
  DELETE FROM Journal WHERE collection = 'livres' AND utilisateur = '' AND id = old.id;
  INSERT INTO Journal (collection, id, utilisateur, supprime)
  VALUES ('livres', old.id, '', 1);
END;

CREATE TRIGGER Livre_id_fixe BEFORE UPDATE OF id ON Livre WHEN new.id <> old.id BEGIN
  SELECT raise(ABORT, 'Livre.id never changes');
END;

-- LivreAuteur: a part of its book. A book that has just gone has left its own line.

CREATE TRIGGER LivreAuteur_ajoute AFTER INSERT ON LivreAuteur BEGIN
  DELETE FROM Journal
  WHERE collection = 'livres' AND utilisateur = '' AND id = new.livreId
    AND EXISTS (SELECT 1 FROM Livre WHERE id = new.livreId);
  INSERT INTO Journal (collection, id, utilisateur, supprime)
  SELECT 'livres', new.livreId, '', 0 WHERE EXISTS (SELECT 1 FROM Livre WHERE id = new.livreId);
END;

CREATE TRIGGER LivreAuteur_modifie AFTER UPDATE ON LivreAuteur BEGIN
  DELETE FROM Journal
  WHERE collection = 'livres' AND utilisateur = '' AND id = old.livreId
    AND EXISTS (SELECT 1 FROM Livre WHERE id = old.livreId);
  INSERT INTO Journal (collection, id, utilisateur, supprime)
  SELECT 'livres', old.livreId, '', 0 WHERE EXISTS (SELECT 1 FROM Livre WHERE id = old.livreId);
  DELETE FROM Journal
  WHERE collection = 'livres' AND utilisateur = '' AND id = new.livreId
    AND EXISTS (SELECT 1 FROM Livre WHERE id = new.livreId);
  INSERT INTO Journal (collection, id, utilisateur, supprime)
  SELECT 'livres', new.livreId, '', 0 WHERE EXISTS (SELECT 1 FROM Livre WHERE id = new.livreId);
END;

CREATE TRIGGER LivreAuteur_supprime AFTER DELETE ON LivreAuteur BEGIN
  DELETE FROM Journal
  WHERE collection = 'livres' AND utilisateur = '' AND id = old.livreId
    AND EXISTS (SELECT 1 FROM Livre WHERE id = old.livreId);
  INSERT INTO Journal (collection, id, utilisateur, supprime)
  SELECT 'livres', old.livreId, '', 0 WHERE EXISTS (SELECT 1 FROM Livre WHERE id = old.livreId);
END;

-- Auteur

CREATE TRIGGER Auteur_ajoute AFTER INSERT ON Auteur BEGIN
  DELETE FROM Journal WHERE collection = 'auteurs' AND utilisateur = '' AND id = new.id;
  INSERT INTO Journal (collection, id, utilisateur, supprime)
  VALUES ('auteurs', new.id, '', 0);
END;

CREATE TRIGGER Auteur_modifie AFTER UPDATE ON Auteur BEGIN
  DELETE FROM Journal WHERE collection = 'auteurs' AND utilisateur = '' AND id = new.id;
  INSERT INTO Journal (collection, id, utilisateur, supprime)
  VALUES ('auteurs', new.id, '', 0);
END;

CREATE TRIGGER Auteur_supprime AFTER DELETE ON Auteur BEGIN
  DELETE FROM Journal WHERE collection = 'auteurs' AND utilisateur = '' AND id = old.id;
  INSERT INTO Journal (collection, id, utilisateur, supprime)
  VALUES ('auteurs', old.id, '', 1);
END;

CREATE TRIGGER Auteur_id_fixe BEFORE UPDATE OF id ON Auteur WHEN new.id <> old.id BEGIN
  SELECT raise(ABORT, 'Auteur.id never changes');
END;

-- A name shows in every book that cites it.
CREATE TRIGGER Auteur_renomme AFTER UPDATE OF nom ON Auteur WHEN new.nom IS NOT old.nom BEGIN
  DELETE FROM Journal WHERE collection = 'livres' AND utilisateur = '' AND id IN
    (SELECT livreId FROM LivreAuteur WHERE auteurId = new.id);
  INSERT INTO Journal (collection, id, supprime)
  SELECT 'livres', livreId, 0 FROM LivreAuteur WHERE auteurId = new.id ORDER BY livreId;
END;

-- Pret

CREATE TRIGGER Pret_ajoute AFTER INSERT ON Pret BEGIN
  DELETE FROM Journal WHERE collection = 'prets' AND utilisateur = '' AND id = new.id;
  INSERT INTO Journal (collection, id, utilisateur, supprime)
  VALUES ('prets', new.id, '', 0);
END;

CREATE TRIGGER Pret_modifie AFTER UPDATE ON Pret BEGIN
  DELETE FROM Journal WHERE collection = 'prets' AND utilisateur = '' AND id = new.id;
  INSERT INTO Journal (collection, id, utilisateur, supprime)
  VALUES ('prets', new.id, '', 0);
END;

CREATE TRIGGER Pret_supprime AFTER DELETE ON Pret BEGIN
  DELETE FROM Journal WHERE collection = 'prets' AND utilisateur = '' AND id = old.id;
  INSERT INTO Journal (collection, id, utilisateur, supprime)
  VALUES ('prets', old.id, '', 1);
END;

CREATE TRIGGER Pret_id_fixe BEFORE UPDATE OF id ON Pret WHEN new.id <> old.id BEGIN
  SELECT raise(ABORT, 'Pret.id never changes');
END;

-- Statut: its document has the book's id and belongs to one person.

CREATE TRIGGER Statut_ajoute AFTER INSERT ON Statut BEGIN
  DELETE FROM Journal WHERE collection = 'statuts' AND utilisateur = new.utilisateur AND id = new.livreId;
  INSERT INTO Journal (collection, id, utilisateur, supprime)
  VALUES ('statuts', new.livreId, new.utilisateur, 0);
END;

CREATE TRIGGER Statut_modifie AFTER UPDATE ON Statut BEGIN
  DELETE FROM Journal WHERE collection = 'statuts' AND utilisateur = old.utilisateur AND id = old.livreId;
  INSERT INTO Journal (collection, id, utilisateur, supprime)
  VALUES ('statuts', old.livreId, old.utilisateur, 1);
  DELETE FROM Journal WHERE collection = 'statuts' AND utilisateur = new.utilisateur AND id = new.livreId;
  INSERT INTO Journal (collection, id, utilisateur, supprime)
  VALUES ('statuts', new.livreId, new.utilisateur, 0);
END;

CREATE TRIGGER Statut_supprime AFTER DELETE ON Statut BEGIN
  DELETE FROM Journal WHERE collection = 'statuts' AND utilisateur = old.utilisateur AND id = old.livreId;
  INSERT INTO Journal (collection, id, utilisateur, supprime)
  VALUES ('statuts', old.livreId, old.utilisateur, 1);
END;

-- The lines of what is already there.

INSERT INTO Journal (collection, id, supprime) SELECT 'auteurs', id, 0 FROM Auteur ORDER BY id;
INSERT INTO Journal (collection, id, supprime) SELECT 'livres', id, 0 FROM Livre ORDER BY id;
INSERT INTO Journal (collection, id, supprime) SELECT 'prets', id, 0 FROM Pret ORDER BY id;
INSERT INTO Journal (collection, id, utilisateur, supprime)
SELECT 'statuts', livreId, utilisateur, 0 FROM Statut ORDER BY livreId, utilisateur;

-- The one row about this database: its epoch, drawn here and again when a backup is restored.

CREATE TABLE Installation (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  epoque TEXT NOT NULL
);

INSERT INTO Installation (id, epoque) VALUES (1, lower(hex(randomblob(16))));
