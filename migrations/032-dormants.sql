-- What comes and goes with what names it (an author without a book, one merged away, a theme without an issue) is
-- only dormant: out of its table, and so out of every list, count and replica, its row and id kept here. Whatever
-- names it wakes it. `cle` is what its table knows it by, `image` its row as JSON.

CREATE TABLE Dormant (
  kind TEXT NOT NULL,
  id INTEGER NOT NULL,
  cle TEXT NOT NULL,
  image TEXT NOT NULL,
  depuis TEXT NOT NULL,
  PRIMARY KEY (kind, id)
) WITHOUT ROWID;

CREATE INDEX Dormant_cle ON Dormant (kind, cle, depuis);

CREATE TRIGGER Auteur_endormi AFTER DELETE ON Auteur BEGIN
  INSERT INTO Dormant VALUES ('Auteur', old.id, old.cleRegroupement, json_object(
    'id', old.id, 'nom', old.nom, 'nomNormalise', old.nomNormalise,
    'cleRegroupement', old.cleRegroupement, 'formePleine', old.formePleine),
    strftime('%Y-%m-%dT%H:%M:%fZ'));
END;

CREATE TRIGGER Auteur_eveille AFTER INSERT ON Auteur BEGIN
  DELETE FROM Dormant WHERE kind = 'Auteur' AND id = new.id;
END;

CREATE TRIGGER Theme_endormi AFTER DELETE ON Theme BEGIN
  INSERT INTO Dormant VALUES ('Theme', old.id, old.nomNormalise, json_object(
    'id', old.id, 'nom', old.nom, 'nomNormalise', old.nomNormalise),
    strftime('%Y-%m-%dT%H:%M:%fZ'));
END;

CREATE TRIGGER Theme_eveille AFTER INSERT ON Theme BEGIN
  DELETE FROM Dormant WHERE kind = 'Theme' AND id = new.id;
END;

-- Those that the acts of before took along.
INSERT INTO Dormant
SELECT kind, id, coalesce(image ->> 'cleRegroupement', image ->> 'nomNormalise'), image, date
FROM (
  SELECT step.value ->> 'table' AS kind, step.value -> 'avant' AS image,
    step.value -> 'avant' ->> 'id' AS id, date,
    row_number() OVER (
      PARTITION BY step.value ->> 'table', step.value -> 'avant' ->> 'id'
      ORDER BY Modification.id DESC, step.key DESC) AS nth
  FROM Modification, json_each(texte_des_etapes(steps)) AS step
  WHERE step.value ->> 'table' IN ('Auteur', 'Theme') AND step.value ->> 'apres' IS NULL
)
WHERE nth = 1
  AND NOT (kind = 'Auteur' AND id IN (SELECT id FROM Auteur))
  AND NOT (kind = 'Theme' AND id IN (SELECT id FROM Theme));

-- The order of each list that an act touched, before and after it, as JSON.
ALTER TABLE Modification ADD COLUMN ordres BLOB NOT NULL DEFAULT '[]';

-- The acts that one took back besides, because they stood in the way: their ids as JSON.
ALTER TABLE Modification ADD COLUMN avec TEXT NOT NULL DEFAULT '[]';
