-- Before SQLite 3.42 `json_valid(NULL)` is 0, which broke both checks of a book without details or lender for the
-- `sqlite3` of many systems. The order of the columns stays; no device has anything to pull again.

DROP INDEX Livre_details;
DROP TRIGGER Livre_modifie;

ALTER TABLE Livre ADD COLUMN details_076 TEXT
  CHECK (details_076 IS NULL OR (json_valid(details_076) AND details_076 <> '[]'));
ALTER TABLE Livre ADD COLUMN emprunteA_076 TEXT
  CHECK (emprunteA_076 IS NULL OR json_valid(emprunteA_076));

UPDATE Livre SET details_076 = details, emprunteA_076 = emprunteA
WHERE details IS NOT NULL OR emprunteA IS NOT NULL;

ALTER TABLE Livre DROP COLUMN details;
ALTER TABLE Livre DROP COLUMN emprunteA;
ALTER TABLE Livre RENAME COLUMN details_076 TO details;
ALTER TABLE Livre RENAME COLUMN emprunteA_076 TO emprunteA;

CREATE INDEX Livre_details ON Livre (id) WHERE details IS NOT NULL;

CREATE TRIGGER Livre_modifie AFTER UPDATE ON Livre BEGIN
  INSERT INTO Ligne VALUES ('livres', new.id, '', 0);
END;
