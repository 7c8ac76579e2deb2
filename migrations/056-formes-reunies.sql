-- The names of authors whom a person has merged into this one, as a JSON list: a book by one of them is by this author
-- (docs/rules.md § 15).

ALTER TABLE Auteur ADD COLUMN formesReunies TEXT NOT NULL DEFAULT '[]'
  CHECK (json_valid(formesReunies) AND json_type(formesReunies) = 'array');

CREATE INDEX Auteur_formesReunies ON Auteur (id) WHERE formesReunies <> '[]';

DROP TRIGGER Auteur_endormi;

CREATE TRIGGER Auteur_endormi AFTER DELETE ON Auteur BEGIN
  INSERT INTO Dormant VALUES ('Auteur', old.id, old.cleRegroupement, json_object(
    'id', old.id, 'nom', old.nom, 'nomNormalise', old.nomNormalise,
    'cleRegroupement', old.cleRegroupement, 'formePleine', old.formePleine, 'nomChoisi', old.nomChoisi,
    'formesReunies', old.formesReunies),
    strftime('%Y-%m-%dT%H:%M:%fZ'));
END;
