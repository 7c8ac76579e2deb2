-- A wish that was made from a missing volume knows its place, so that buying it fills the place.
-- No document shows it.

ALTER TABLE Souhait ADD COLUMN placeId INTEGER REFERENCES Place (id) ON DELETE SET NULL;

CREATE INDEX Souhait_place ON Souhait (placeId) WHERE placeId IS NOT NULL;

-- An issue's date may be a text as printed: « printemps 2026 ». A CHECK goes with its column only.
-- No document changes, so the journal is not told.

DROP TRIGGER Numero_modifie;

ALTER TABLE Numero RENAME COLUMN date TO dateIso;
ALTER TABLE Numero ADD COLUMN date TEXT CHECK (date <> '');
UPDATE Numero SET date = dateIso;
ALTER TABLE Numero DROP COLUMN dateIso;

CREATE TRIGGER Numero_modifie AFTER UPDATE ON Numero BEGIN
  INSERT INTO Ligne VALUES ('numeros', new.id, '', 0);
END;
