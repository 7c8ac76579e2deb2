-- What someone has read: one row a reading, its reader's alone. `debut` and `fin` are a day, a month or a year;
-- `note` counts half stars; `auteurs` is a JSON list of names.
--
-- `livreId` is no foreign key: a book that is deleted comes back under its number, and its readings are its own again
-- without an act of anybody having touched them. `titre`, `auteurs` and `isbn` are of a book that is not of the house;
-- of one that is they are what it was called when the reading was noted.

CREATE TABLE Lecture (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  utilisateur TEXT NOT NULL CHECK (utilisateur <> ''),
  livreId INTEGER,
  titre TEXT NOT NULL CHECK (titre <> ''),
  auteurs TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(auteurs)),
  isbn TEXT CHECK (length(isbn) = 13),
  debut TEXT CHECK (debut <> ''),
  fin TEXT CHECK (fin <> ''),
  abandon INTEGER NOT NULL DEFAULT 0 CHECK (abandon IN (0, 1)),
  note INTEGER CHECK (typeof(note) = 'null' OR (typeof(note) = 'integer' AND note BETWEEN 1 AND 10)),
  avis TEXT CHECK (avis <> '')
);

CREATE INDEX Lecture_livre ON Lecture (livreId) WHERE livreId IS NOT NULL;
CREATE INDEX Lecture_utilisateur ON Lecture (utilisateur);

-- What a book with readings was called when it went, for these to go on saying: a dormant row, of which only the
-- names are kept. Its authors may go before it.
CREATE TRIGGER LivreAuteur_lu BEFORE DELETE ON LivreAuteur
WHEN EXISTS (SELECT 1 FROM Lecture WHERE livreId = old.livreId)
  AND NOT EXISTS (SELECT 1 FROM Dormant WHERE kind = 'Livre' AND id = old.livreId) BEGIN
  INSERT INTO Dormant SELECT 'Livre', l.id, '', json_object('titre', l.titre, 'isbn', l.isbn, 'auteurs', (
    SELECT json_group_array(a.nom ORDER BY la.position)
    FROM LivreAuteur la JOIN Auteur a ON a.id = la.auteurId WHERE la.livreId = l.id)),
    strftime('%Y-%m-%dT%H:%M:%fZ')
  FROM Livre l WHERE l.id = old.livreId;
END;

CREATE TRIGGER Livre_lu BEFORE DELETE ON Livre
WHEN EXISTS (SELECT 1 FROM Lecture WHERE livreId = old.id) BEGIN
  DELETE FROM Dormant
  WHERE kind = 'Livre' AND id = old.id AND EXISTS (SELECT 1 FROM LivreAuteur WHERE livreId = old.id);
  UPDATE Dormant SET image = json_set(image, '$.titre', old.titre, '$.isbn', old.isbn)
  WHERE kind = 'Livre' AND id = old.id;
  INSERT INTO Dormant SELECT 'Livre', old.id, '', json_object('titre', old.titre, 'isbn', old.isbn, 'auteurs', (
    SELECT json_group_array(a.nom ORDER BY la.position)
    FROM LivreAuteur la JOIN Auteur a ON a.id = la.auteurId WHERE la.livreId = old.id)),
    strftime('%Y-%m-%dT%H:%M:%fZ')
  WHERE NOT EXISTS (SELECT 1 FROM Dormant WHERE kind = 'Livre' AND id = old.id);
END;

CREATE TRIGGER Livre_revenu AFTER INSERT ON Livre BEGIN
  DELETE FROM Dormant WHERE kind = 'Livre' AND id = new.id;
END;

CREATE TRIGGER LivreAuteur_revenu AFTER INSERT ON LivreAuteur BEGIN
  DELETE FROM Dormant WHERE kind = 'Livre' AND id = new.livreId;
END;

-- The journal

CREATE TRIGGER Lecture_ajoute AFTER INSERT ON Lecture BEGIN
  INSERT INTO Ligne VALUES ('lectures', new.id, new.utilisateur, 0);
END;

CREATE TRIGGER Lecture_modifie AFTER UPDATE ON Lecture BEGIN
  INSERT INTO Ligne VALUES ('lectures', new.id, new.utilisateur, 0);
END;

CREATE TRIGGER Lecture_supprime AFTER DELETE ON Lecture BEGIN
  INSERT INTO Ligne VALUES ('lectures', old.id, old.utilisateur, 1);
END;

CREATE TRIGGER Lecture_id_fixe BEFORE UPDATE OF id, utilisateur ON Lecture
WHEN new.id <> old.id OR new.utilisateur <> old.utilisateur BEGIN
  SELECT raise(ABORT, 'Lecture.id and its owner never change');
END;

-- A reading shows what its book is called, so it is sent again with it.
CREATE TRIGGER Livre_relu AFTER INSERT ON Journal WHEN new.collection = 'livres' AND new.id > 0 BEGIN
  INSERT INTO Ligne SELECT 'lectures', id, utilisateur, 0 FROM Lecture WHERE livreId = new.id;
END;
