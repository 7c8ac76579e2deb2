-- Whether a person gave an author the shown name: it stays then, however books spell it (docs/rules.md § 16).

ALTER TABLE Auteur ADD COLUMN nomChoisi INTEGER NOT NULL DEFAULT 0 CHECK (nomChoisi IN (0, 1));

DROP TRIGGER Auteur_endormi;

CREATE TRIGGER Auteur_endormi AFTER DELETE ON Auteur BEGIN
  INSERT INTO Dormant VALUES ('Auteur', old.id, old.cleRegroupement, json_object(
    'id', old.id, 'nom', old.nom, 'nomNormalise', old.nomNormalise,
    'cleRegroupement', old.cleRegroupement, 'formePleine', old.formePleine, 'nomChoisi', old.nomChoisi),
    strftime('%Y-%m-%dT%H:%M:%fZ'));
END;
