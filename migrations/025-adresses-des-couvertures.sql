-- The address that a record's picture comes from, unless a person chose one; NULL: none. Said once a
-- kind, and the same view over all kinds that have covers: the queue, the relay and the export ask it.

ALTER TABLE Livre ADD COLUMN couvertureAdresse TEXT
  AS (coalesce(coverUrl, 'isbn:' || isbn)) VIRTUAL;
ALTER TABLE Numero ADD COLUMN couvertureAdresse TEXT AS (coverUrl) VIRTUAL;
ALTER TABLE Souhait ADD COLUMN couvertureAdresse TEXT
  AS (coalesce(coverUrl, 'isbn:' || isbn)) VIRTUAL;

DROP INDEX Livre_coverUrl;
DROP INDEX Numero_coverUrl;
DROP INDEX Souhait_coverUrl;
DROP INDEX Souhait_isbn;
CREATE INDEX Livre_adresse ON Livre (couvertureAdresse) WHERE couvertureAdresse IS NOT NULL;
CREATE INDEX Numero_adresse ON Numero (couvertureAdresse) WHERE couvertureAdresse IS NOT NULL;
CREATE INDEX Souhait_adresse ON Souhait (couvertureAdresse) WHERE couvertureAdresse IS NOT NULL;

-- `utilisateur` is its owner, '' for everyone's.
CREATE VIEW Couvert AS
SELECT 'livres' AS collection, id, '' AS utilisateur, couvertureAdresse, couvertureCle FROM Livre
UNION ALL SELECT 'numeros', id, '', couvertureAdresse, couvertureCle FROM Numero
UNION ALL SELECT 'souhaits', id, utilisateur, couvertureAdresse, couvertureCle FROM Souhait;

DROP TRIGGER Livre_couverture_ajoutee;
DROP TRIGGER Livre_couverture_modifiee;
DROP TRIGGER Numero_couverture_ajoutee;
DROP TRIGGER Numero_couverture_modifiee;
DROP TRIGGER Souhait_couverture_ajoutee;
DROP TRIGGER Souhait_couverture_modifiee;
DROP TRIGGER CouvertureAdresse_arrivee;
DROP TRIGGER Couverture_perdue;

CREATE TRIGGER Livre_couverture_ajoutee AFTER INSERT ON Livre BEGIN
  INSERT INTO AdresseVoulue VALUES (new.couvertureAdresse, 0, new.titreNormalise);
END;

CREATE TRIGGER Livre_couverture_modifiee AFTER UPDATE OF coverUrl, isbn ON Livre BEGIN
  INSERT INTO AdresseVoulue VALUES (new.couvertureAdresse, 0, new.titreNormalise);
END;

CREATE TRIGGER Numero_couverture_ajoutee AFTER INSERT ON Numero BEGIN
  INSERT INTO AdresseVoulue VALUES (new.couvertureAdresse, 1, new.numeroNormalise);
END;

CREATE TRIGGER Numero_couverture_modifiee AFTER UPDATE OF coverUrl ON Numero BEGIN
  INSERT INTO AdresseVoulue VALUES (new.couvertureAdresse, 1, new.numeroNormalise);
END;

CREATE TRIGGER Souhait_couverture_ajoutee AFTER INSERT ON Souhait BEGIN
  INSERT INTO AdresseVoulue VALUES (new.couvertureAdresse, 2, new.cleOeuvre);
END;

CREATE TRIGGER Souhait_couverture_modifiee AFTER UPDATE OF coverUrl, isbn ON Souhait BEGIN
  INSERT INTO AdresseVoulue VALUES (new.couvertureAdresse, 2, new.cleOeuvre);
END;

-- A picture that has come, or gone, changes the documents of all records that show it.
CREATE TRIGGER CouvertureAdresse_arrivee AFTER UPDATE OF cle ON CouvertureAdresse
WHEN new.cle IS NOT old.cle BEGIN
  INSERT INTO LigneDeCouverture SELECT collection, id, utilisateur FROM Couvert
  WHERE couvertureAdresse = new.adresse
    AND NOT EXISTS (SELECT 1 FROM Couverture WHERE cle = couvertureCle AND perdue = 0);
END;

CREATE TRIGGER Couverture_perdue AFTER UPDATE OF perdue ON Couverture
WHEN new.perdue <> old.perdue BEGIN
  INSERT INTO LigneDeCouverture SELECT collection, id, utilisateur FROM Couvert
  WHERE couvertureCle = new.cle;
END;
