-- A place that was made with its book goes when that book moves to another series; one that was known
-- before stays, as a missing volume. No foreign key: the id says only which book came with the place,
-- and ids are never given twice. No document shows it.

ALTER TABLE Place ADD COLUMN premierLivreId INTEGER;

DROP TRIGGER Place_modifie;

-- Until now a book's own page made places with a title and a number alone.
UPDATE Place SET premierLivreId = livreId WHERE isbn IS NULL AND auteur IS NULL;

CREATE TRIGGER Place_modifie AFTER UPDATE ON Place BEGIN
  INSERT INTO Ligne VALUES ('series', old.serieId, '', 0);
  INSERT INTO Ligne VALUES ('series', new.serieId, '', 0);
END;
