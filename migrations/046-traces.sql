-- What each act did to each row of the household, a line a change: an inserted or deleted row whole, of a rewritten one
-- its key, its owner and what changed. `cle` is the row's key as text. The order of a list is a line, too (`nom` is
-- `Ordre`), before and after. What may stand in an act's way is found here by its row.

CREATE TABLE Trace (
  seq INTEGER PRIMARY KEY,
  acte INTEGER NOT NULL REFERENCES Modification (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  nom TEXT NOT NULL,
  cle TEXT NOT NULL,
  avant TEXT,
  apres TEXT
);

CREATE INDEX Trace_acte ON Trace (acte);
CREATE INDEX Trace_ligne ON Trace (nom, cle, acte);
-- What is gone may lead to what is to go.
CREATE INDEX Trace_parti ON Trace (nom, seq) WHERE apres IS NULL;

CREATE TEMP TABLE Etape AS
SELECT m.id AS acte, step.key AS nth, step.value ->> 'table' AS nom,
  nullif(step.value -> 'avant', 'null') AS avant, nullif(step.value -> 'apres', 'null') AS apres
FROM Modification AS m, json_each(texte_des_etapes(m.steps)) AS step;

-- An author's row that went over to another author named no position, which stayed.
UPDATE Etape
SET avant = json_insert(avant, '$.position', place), apres = json_insert(apres, '$.position', place)
FROM (
  SELECT acte AS a, nth AS n, coalesce((
    SELECT position FROM LivreAuteur
    WHERE livreId = apres ->> 'livreId' AND auteurId = apres ->> 'auteurId'), 1000 + nth) AS place
  FROM Etape WHERE nom = 'LivreAuteur' AND avant IS NOT NULL AND apres IS NOT NULL
)
WHERE acte = a AND nth = n;

CREATE TEMP TABLE EtapeCle AS
SELECT *, CASE nom
  WHEN 'LivreAuteur' THEN json_array(avant ->> 'livreId', avant ->> 'auteurId')
  WHEN 'Statut' THEN json_array(avant ->> 'livreId', avant ->> 'utilisateur')
  WHEN 'NumeroTheme' THEN json_array(avant ->> 'numeroId', avant ->> 'themeId')
  WHEN 'FusionRefusee' THEN json_array(avant ->> 'premierId', avant ->> 'secondId')
  ELSE CAST(avant ->> 'id' AS TEXT) END AS cleAvant,
CASE nom
  WHEN 'LivreAuteur' THEN json_array(apres ->> 'livreId', apres ->> 'auteurId')
  WHEN 'Statut' THEN json_array(apres ->> 'livreId', apres ->> 'utilisateur')
  WHEN 'NumeroTheme' THEN json_array(apres ->> 'numeroId', apres ->> 'themeId')
  WHEN 'FusionRefusee' THEN json_array(apres ->> 'premierId', apres ->> 'secondId')
  ELSE CAST(apres ->> 'id' AS TEXT) END AS cleApres
FROM Etape;

-- Each act has room: what an import did, of which only the keys were kept, is told whole at the next start.
INSERT INTO Trace (seq, acte, nom, cle, avant, apres)
SELECT acte * 1000000 + row_number() OVER (PARTITION BY acte ORDER BY nth, half), acte, nom, cle, avant, apres
FROM (
  SELECT acte, nth, 0 AS half, nom, cleAvant AS cle, avant, apres FROM EtapeCle
  WHERE avant IS NOT NULL AND apres IS NOT NULL AND cleAvant = cleApres
  UNION ALL
  SELECT acte, nth, 0, nom, cleAvant, avant, NULL FROM EtapeCle
  WHERE avant IS NOT NULL AND (apres IS NULL OR cleAvant <> cleApres)
  UNION ALL
  SELECT acte, nth, 1, nom, cleApres, NULL, apres FROM EtapeCle
  WHERE apres IS NOT NULL AND (avant IS NULL OR cleAvant <> cleApres)
)
WHERE cle IS NOT NULL;

DROP TABLE Etape;
DROP TABLE EtapeCle;

INSERT INTO Trace (seq, acte, nom, cle, avant, apres)
SELECT m.id * 1000000 + 900000 + ordre.key, m.id, 'Ordre', json_array(ordre.value ->> 'list', ordre.value ->> 'of'),
  ordre.value -> 'avant', ordre.value -> 'apres'
FROM Modification AS m, json_each(texte_des_etapes(m.ordres)) AS ordre;

-- Devices do not hold them: they need not be told.
ALTER TABLE Modification DROP COLUMN steps;
ALTER TABLE Modification DROP COLUMN ordres;

-- An import is real while an act of it is in force, whichever way it was taken back or made again.
CREATE TRIGGER Modification_importation AFTER UPDATE OF annuleeParId ON Modification
WHEN new.operation = 'importer' BEGIN
  UPDATE Importation
  SET etat = iif(EXISTS (
    SELECT 1 FROM Modification
    WHERE importationId = new.importationId AND operation = 'importer' AND annuleeParId IS NULL),
    'faite', 'annulee')
  WHERE id = new.importationId AND etat IN ('faite', 'annulee');
END;
