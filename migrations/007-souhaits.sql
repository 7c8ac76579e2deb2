-- What someone wants: two lists of their own, of books and of issues of periodicals. A wished book
-- is no book of the house, so no key leads to one.
--
-- The keys are made by the service and stand for themselves where a text has neither letter nor
-- digit; '' is « no author » and « no number », which are one value like any other. `rang` runs
-- from 1 without holes within one person's list; it is no unique index, because a list is put in
-- another order line by line.

CREATE TABLE Souhait (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  utilisateur TEXT NOT NULL CHECK (utilisateur <> ''),
  titre TEXT NOT NULL CHECK (titre <> ''),
  cleOeuvre TEXT NOT NULL,
  auteur TEXT CHECK (auteur <> ''),
  auteurNormalise TEXT NOT NULL DEFAULT '',
  isbn TEXT CHECK (length(isbn) = 13),
  coverUrl TEXT,
  rang INTEGER NOT NULL CHECK (typeof(rang) = 'integer' AND rang >= 1),
  dateAjout TEXT NOT NULL CHECK (dateAjout LIKE '____-__-__T%Z')
);

CREATE UNIQUE INDEX Souhait_unique ON Souhait (utilisateur, cleOeuvre, auteurNormalise);
CREATE INDEX Souhait_rang ON Souhait (utilisateur, rang);

-- An ISSN has no check of its form: what the start-up pass cannot bring into it stays as it is.
CREATE TABLE RevueSouhaitee (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  utilisateur TEXT NOT NULL CHECK (utilisateur <> ''),
  titre TEXT NOT NULL CHECK (titre <> ''),
  cleOeuvre TEXT NOT NULL,
  numero TEXT CHECK (numero <> ''),
  numeroNormalise TEXT NOT NULL DEFAULT '',
  issn TEXT CHECK (issn <> ''),
  rang INTEGER NOT NULL CHECK (typeof(rang) = 'integer' AND rang >= 1),
  dateAjout TEXT NOT NULL CHECK (dateAjout LIKE '____-__-__T%Z')
);

CREATE UNIQUE INDEX RevueSouhaitee_unique
ON RevueSouhaitee (utilisateur, cleOeuvre, numeroNormalise);
CREATE INDEX RevueSouhaitee_rang ON RevueSouhaitee (utilisateur, rang);

-- The journal

CREATE TRIGGER Souhait_ajoute AFTER INSERT ON Souhait BEGIN
  INSERT INTO Ligne VALUES ('souhaits', new.id, new.utilisateur, 0);
END;

CREATE TRIGGER Souhait_modifie AFTER UPDATE ON Souhait BEGIN
  INSERT INTO Ligne VALUES ('souhaits', new.id, new.utilisateur, 0);
END;

CREATE TRIGGER Souhait_supprime AFTER DELETE ON Souhait BEGIN
  INSERT INTO Ligne VALUES ('souhaits', old.id, old.utilisateur, 1);
END;

CREATE TRIGGER Souhait_id_fixe BEFORE UPDATE OF id, utilisateur ON Souhait
WHEN new.id <> old.id OR new.utilisateur <> old.utilisateur BEGIN
  SELECT raise(ABORT, 'Souhait.id and its owner never change');
END;

CREATE TRIGGER RevueSouhaitee_ajoute AFTER INSERT ON RevueSouhaitee BEGIN
  INSERT INTO Ligne VALUES ('souhaits-revues', new.id, new.utilisateur, 0);
END;

CREATE TRIGGER RevueSouhaitee_modifie AFTER UPDATE ON RevueSouhaitee BEGIN
  INSERT INTO Ligne VALUES ('souhaits-revues', new.id, new.utilisateur, 0);
END;

CREATE TRIGGER RevueSouhaitee_supprime AFTER DELETE ON RevueSouhaitee BEGIN
  INSERT INTO Ligne VALUES ('souhaits-revues', old.id, old.utilisateur, 1);
END;

CREATE TRIGGER RevueSouhaitee_id_fixe BEFORE UPDATE OF id, utilisateur ON RevueSouhaitee
WHEN new.id <> old.id OR new.utilisateur <> old.utilisateur BEGIN
  SELECT raise(ABORT, 'RevueSouhaitee.id and its owner never change');
END;
