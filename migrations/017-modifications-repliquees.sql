-- Devices hold the acts, too. An act has its line in the journal like a document: everyone's where it
-- has no owner, else that owner's alone. Ids never come twice, so a new one has no line yet.

-- The import that the act is, or takes back; an import is undone by its own operation.
ALTER TABLE Modification ADD COLUMN importationId INTEGER;

-- The rows before and after, step by step, as JSON, deflated where it is long. The last column: a list does
-- not read it, and one row less is written with every act.
ALTER TABLE Modification ADD COLUMN steps BLOB NOT NULL DEFAULT '[]';

UPDATE Modification
SET steps = coalesce((SELECT steps FROM ModificationTrace WHERE modificationId = Modification.id), '[]');

DROP TABLE ModificationTrace;

CREATE TRIGGER Modification_ajoute AFTER INSERT ON Modification BEGIN
  INSERT INTO Journal (collection, id, utilisateur, supprime)
  VALUES ('modifications', new.id, new.proprietaire, 0);
END;

CREATE TRIGGER Modification_modifie AFTER UPDATE ON Modification BEGIN
  INSERT INTO Ligne VALUES ('modifications', new.id, new.proprietaire, 0);
END;

CREATE TRIGGER Modification_supprime AFTER DELETE ON Modification BEGIN
  INSERT INTO Ligne VALUES ('modifications', old.id, old.proprietaire, 1);
END;

CREATE TRIGGER Modification_id_fixe BEFORE UPDATE OF id ON Modification WHEN new.id <> old.id BEGIN
  SELECT raise(ABORT, 'Modification.id never changes');
END;

INSERT INTO Journal (collection, id, utilisateur, supprime)
SELECT 'modifications', id, proprietaire, 0 FROM Modification ORDER BY id;
