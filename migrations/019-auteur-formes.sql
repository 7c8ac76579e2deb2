-- By what a new name finds the authors that it may be: the grouping key of the fullest name, and the
-- signature that an initials form shares with its full form. No trigger can compute them: a changed
-- name empties its row, and the service fills it (NULL: to be compared with every name until then).

CREATE TABLE AuteurForme (
  auteurId INTEGER PRIMARY KEY REFERENCES Auteur (id) ON DELETE CASCADE,
  cle TEXT,
  signature TEXT
);

CREATE INDEX AuteurForme_cle ON AuteurForme (cle);
CREATE INDEX AuteurForme_signature ON AuteurForme (signature);

CREATE TRIGGER AuteurForme_ajoute AFTER INSERT ON Auteur BEGIN
  INSERT OR REPLACE INTO AuteurForme (auteurId) VALUES (new.id);
END;

CREATE TRIGGER AuteurForme_modifie AFTER UPDATE OF nom, formePleine ON Auteur
WHEN new.nom <> old.nom OR new.formePleine IS NOT old.formePleine BEGIN
  UPDATE AuteurForme SET cle = NULL, signature = NULL WHERE auteurId = new.id;
END;

INSERT INTO AuteurForme (auteurId) SELECT id FROM Auteur;

DROP TRIGGER AuteurMot_ajoute;
DROP TRIGGER AuteurMot_modifie;
DROP TABLE AuteurMot;
