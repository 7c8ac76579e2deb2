-- A picture that comes or goes by itself changes documents, which devices pull, but no record. `If-Match` goes by
-- `version`: the revision of the last change besides; NULL where that is the line's own.
ALTER TABLE Journal ADD COLUMN version INTEGER;

-- 1 where the file of a picture is lost. One that a person chose stays named; its record shows what its address
-- gives, until the file is there again or another picture is chosen.
ALTER TABLE Couverture ADD COLUMN perdue INTEGER NOT NULL DEFAULT 0 CHECK (perdue IN (0, 1));

CREATE VIEW LigneDeCouverture AS SELECT collection, id, utilisateur FROM Journal;

-- The new line stands under no document's number until the old one is gone.
CREATE TRIGGER LigneDeCouverture_ajoute INSTEAD OF INSERT ON LigneDeCouverture BEGIN
  INSERT INTO Journal (collection, id, utilisateur, supprime, version)
  SELECT collection, -id, utilisateur, supprime, coalesce(version, revision) FROM Journal
  WHERE collection = new.collection AND utilisateur = new.utilisateur AND id = new.id;
  DELETE FROM Journal
  WHERE collection = new.collection AND utilisateur = new.utilisateur AND id = new.id;
  UPDATE Journal SET id = new.id
  WHERE collection = new.collection AND utilisateur = new.utilisateur AND id = -new.id;
END;

DROP TRIGGER CouvertureAdresse_arrivee;

CREATE TRIGGER CouvertureAdresse_arrivee AFTER UPDATE OF cle ON CouvertureAdresse
WHEN new.cle IS NOT old.cle BEGIN
  INSERT INTO LigneDeCouverture SELECT 'livres', id, '' FROM Livre
  WHERE coverUrl = new.adresse
    AND NOT EXISTS (SELECT 1 FROM Couverture WHERE cle = couvertureCle AND perdue = 0);
  INSERT INTO LigneDeCouverture SELECT 'livres', id, '' FROM Livre
  WHERE isbn = substr(new.adresse, 6) AND new.adresse GLOB 'isbn:*' AND coverUrl IS NULL
    AND NOT EXISTS (SELECT 1 FROM Couverture WHERE cle = couvertureCle AND perdue = 0);
  INSERT INTO LigneDeCouverture SELECT 'numeros', id, '' FROM Numero
  WHERE coverUrl = new.adresse
    AND NOT EXISTS (SELECT 1 FROM Couverture WHERE cle = couvertureCle AND perdue = 0);
  INSERT INTO LigneDeCouverture SELECT 'souhaits', id, utilisateur FROM Souhait
  WHERE coverUrl = new.adresse
    AND NOT EXISTS (SELECT 1 FROM Couverture WHERE cle = couvertureCle AND perdue = 0);
  INSERT INTO LigneDeCouverture SELECT 'souhaits', id, utilisateur FROM Souhait
  WHERE isbn = substr(new.adresse, 6) AND new.adresse GLOB 'isbn:*' AND coverUrl IS NULL
    AND NOT EXISTS (SELECT 1 FROM Couverture WHERE cle = couvertureCle AND perdue = 0);
END;

CREATE TRIGGER Couverture_perdue AFTER UPDATE OF perdue ON Couverture
WHEN new.perdue <> old.perdue BEGIN
  INSERT INTO LigneDeCouverture SELECT 'livres', id, '' FROM Livre WHERE couvertureCle = new.cle;
  INSERT INTO LigneDeCouverture SELECT 'numeros', id, '' FROM Numero WHERE couvertureCle = new.cle;
  INSERT INTO LigneDeCouverture SELECT 'souhaits', id, utilisateur FROM Souhait
  WHERE couvertureCle = new.cle;
END;
