-- The covers that the house keeps: the pictures, what is known of each address, and the queue of those
-- that are to be fetched. The pictures themselves are files, named after their content.

-- `cle` is the SHA-256 of the picture as it is kept, `largeur` and `hauteur` its pixels, turned upright.
CREATE TABLE Couverture (
  cle TEXT PRIMARY KEY CHECK (length(cle) = 64),
  type TEXT NOT NULL CHECK (type LIKE 'image/%'),
  taille INTEGER NOT NULL CHECK (taille > 0),
  largeur INTEGER NOT NULL CHECK (largeur > 0),
  hauteur INTEGER NOT NULL CHECK (hauteur > 0),
  couleur TEXT NOT NULL CHECK (couleur GLOB '#[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]')
) WITHOUT ROWID;

-- An address is that of a picture, or `isbn:` and an ISBN, for which the sources are asked one after
-- the other. `etat` is `attente` (to be fetched), `gardee`, `aucune` (there is none), `plusTard`.
-- `hote` is whom the next request goes to, `groupe` and `ordre` where the record stands in the
-- catalogue. `source` counts the sources that had nothing. Instants are milliseconds since 1970.
CREATE TABLE CouvertureAdresse (
  adresse TEXT PRIMARY KEY CHECK (adresse <> ''),
  etat TEXT NOT NULL DEFAULT 'attente' CHECK (etat IN ('attente', 'gardee', 'aucune', 'plusTard')),
  cle TEXT REFERENCES Couverture (cle),
  hote TEXT NOT NULL,
  groupe INTEGER NOT NULL,
  ordre TEXT NOT NULL,
  source INTEGER NOT NULL DEFAULT 0,
  raison TEXT,
  essais INTEGER NOT NULL DEFAULT 0,
  demandeLe INTEGER,
  prochainEssai INTEGER,
  CHECK ((etat = 'gardee') = (cle IS NOT NULL))
) WITHOUT ROWID;

CREATE INDEX CouvertureAdresse_attente ON CouvertureAdresse (hote, groupe, ordre)
WHERE etat = 'attente';
CREATE INDEX CouvertureAdresse_prochain ON CouvertureAdresse (prochainEssai)
WHERE etat IN ('aucune', 'plusTard');
CREATE INDEX CouvertureAdresse_cle ON CouvertureAdresse (cle) WHERE cle IS NOT NULL;

-- The requests of the last minutes to the one host that counts them.
CREATE TABLE CouvertureDemande (
  id INTEGER PRIMARY KEY,
  date INTEGER NOT NULL
);

-- What a person has chosen comes before the address.
ALTER TABLE Livre ADD COLUMN couvertureCle TEXT REFERENCES Couverture (cle);
ALTER TABLE Numero ADD COLUMN couvertureCle TEXT REFERENCES Couverture (cle);
ALTER TABLE Souhait ADD COLUMN couvertureCle TEXT REFERENCES Couverture (cle);

CREATE INDEX Livre_couverture ON Livre (couvertureCle) WHERE couvertureCle IS NOT NULL;
CREATE INDEX Numero_couverture ON Numero (couvertureCle) WHERE couvertureCle IS NOT NULL;
CREATE INDEX Souhait_couverture ON Souhait (couvertureCle) WHERE couvertureCle IS NOT NULL;
CREATE INDEX Numero_coverUrl ON Numero (coverUrl) WHERE coverUrl IS NOT NULL;
CREATE INDEX Souhait_coverUrl ON Souhait (coverUrl) WHERE coverUrl IS NOT NULL;
CREATE INDEX Souhait_isbn ON Souhait (isbn) WHERE isbn IS NOT NULL;

-- The pictures that taking an act back may bring back.
CREATE TABLE ModificationCouverture (
  modificationId INTEGER NOT NULL REFERENCES Modification (id) ON DELETE CASCADE,
  cle TEXT NOT NULL REFERENCES Couverture (cle),
  PRIMARY KEY (modificationId, cle)
) WITHOUT ROWID;

CREATE INDEX ModificationCouverture_cle ON ModificationCouverture (cle);

-- What the triggers write to: an address that is known stays as it is.
CREATE VIEW AdresseVoulue AS SELECT adresse, groupe, ordre FROM CouvertureAdresse;

CREATE TRIGGER AdresseVoulue_ajoute INSTEAD OF INSERT ON AdresseVoulue
WHEN new.adresse IS NOT NULL
AND NOT EXISTS (SELECT 1 FROM CouvertureAdresse WHERE adresse = new.adresse) BEGIN
  INSERT INTO CouvertureAdresse (adresse, groupe, ordre, hote)
  SELECT new.adresse, new.groupe, new.ordre, CASE
    WHEN new.adresse GLOB 'isbn:*' OR new.adresse GLOB '*/b/isbn/*' THEN 'isbn'
    ELSE lower(substr(rest, 1, instr(rest || '/', '/') - 1))
  END
  FROM (SELECT substr(new.adresse, instr(new.adresse, '://') + 3) AS rest);
END;

CREATE TRIGGER Livre_couverture_ajoutee AFTER INSERT ON Livre BEGIN
  INSERT INTO AdresseVoulue VALUES (coalesce(new.coverUrl, 'isbn:' || new.isbn), 0, new.titreNormalise);
END;

CREATE TRIGGER Livre_couverture_modifiee AFTER UPDATE OF coverUrl, isbn ON Livre BEGIN
  INSERT INTO AdresseVoulue VALUES (coalesce(new.coverUrl, 'isbn:' || new.isbn), 0, new.titreNormalise);
END;

CREATE TRIGGER Numero_couverture_ajoutee AFTER INSERT ON Numero BEGIN
  INSERT INTO AdresseVoulue VALUES (new.coverUrl, 1, new.numeroNormalise);
END;

CREATE TRIGGER Numero_couverture_modifiee AFTER UPDATE OF coverUrl ON Numero BEGIN
  INSERT INTO AdresseVoulue VALUES (new.coverUrl, 1, new.numeroNormalise);
END;

CREATE TRIGGER Souhait_couverture_ajoutee AFTER INSERT ON Souhait BEGIN
  INSERT INTO AdresseVoulue VALUES (coalesce(new.coverUrl, 'isbn:' || new.isbn), 2, new.cleOeuvre);
END;

CREATE TRIGGER Souhait_couverture_modifiee AFTER UPDATE OF coverUrl, isbn ON Souhait BEGIN
  INSERT INTO AdresseVoulue VALUES (coalesce(new.coverUrl, 'isbn:' || new.isbn), 2, new.cleOeuvre);
END;

-- A picture that has come, or gone, changes the documents of all records that show it.
CREATE TRIGGER CouvertureAdresse_arrivee AFTER UPDATE OF cle ON CouvertureAdresse
WHEN new.cle IS NOT old.cle BEGIN
  INSERT INTO Ligne SELECT 'livres', id, '', 0 FROM Livre
  WHERE coverUrl = new.adresse AND couvertureCle IS NULL;
  INSERT INTO Ligne SELECT 'livres', id, '', 0 FROM Livre
  WHERE isbn = substr(new.adresse, 6) AND new.adresse GLOB 'isbn:*'
    AND coverUrl IS NULL AND couvertureCle IS NULL;
  INSERT INTO Ligne SELECT 'numeros', id, '', 0 FROM Numero
  WHERE coverUrl = new.adresse AND couvertureCle IS NULL;
  INSERT INTO Ligne SELECT 'souhaits', id, utilisateur, 0 FROM Souhait
  WHERE coverUrl = new.adresse AND couvertureCle IS NULL;
  INSERT INTO Ligne SELECT 'souhaits', id, utilisateur, 0 FROM Souhait
  WHERE isbn = substr(new.adresse, 6) AND new.adresse GLOB 'isbn:*'
    AND coverUrl IS NULL AND couvertureCle IS NULL;
END;

INSERT INTO AdresseVoulue
SELECT coalesce(coverUrl, 'isbn:' || isbn), 0, titreNormalise FROM Livre ORDER BY titreNormalise;
INSERT INTO AdresseVoulue SELECT coverUrl, 1, numeroNormalise FROM Numero;
INSERT INTO AdresseVoulue SELECT coalesce(coverUrl, 'isbn:' || isbn), 2, cleOeuvre FROM Souhait;
