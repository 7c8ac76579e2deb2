-- A borrower is one person by normalised name: kept beside the name as it is written, so that a loan looks at one line
-- of an index and not at all loans.

ALTER TABLE Pret ADD COLUMN emprunteurNormalise TEXT NOT NULL DEFAULT '';

-- No document shows it: the journal has nothing to tell.
DROP TRIGGER Pret_modifie;

UPDATE Pret SET emprunteurNormalise = cle_texte(emprunteur);

CREATE TRIGGER Pret_modifie AFTER UPDATE ON Pret BEGIN
  INSERT INTO Ligne VALUES ('prets', new.id, '', 0);
END;

CREATE INDEX Pret_emprunteur ON Pret (emprunteurNormalise);
