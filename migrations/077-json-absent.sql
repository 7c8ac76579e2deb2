-- Before SQLite 3.42 `json_valid(NULL)` is 0, which broke both checks of a book without details or lender for the
-- `sqlite3` of many systems. The order of the columns stays; no device has anything to pull again.

DROP INDEX Livre_details;
DROP TRIGGER Livre_modifie;

ALTER TABLE Livre ADD COLUMN details_077 TEXT
  CHECK (details_077 IS NULL OR (json_valid(details_077) AND details_077 <> '[]'));
ALTER TABLE Livre ADD COLUMN emprunteA_077 TEXT
  CHECK (emprunteA_077 IS NULL OR json_valid(emprunteA_077));

UPDATE Livre SET details_077 = details, emprunteA_077 = emprunteA
WHERE details IS NOT NULL OR emprunteA IS NOT NULL;

ALTER TABLE Livre DROP COLUMN details;
ALTER TABLE Livre DROP COLUMN emprunteA;
ALTER TABLE Livre RENAME COLUMN details_077 TO details;
ALTER TABLE Livre RENAME COLUMN emprunteA_077 TO emprunteA;

CREATE INDEX Livre_details ON Livre (id) WHERE details IS NOT NULL;

CREATE TRIGGER Livre_modifie AFTER UPDATE ON Livre BEGIN
  INSERT INTO Ligne VALUES ('livres', new.id, '', 0);
END;
