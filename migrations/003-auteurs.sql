-- One record for each distinct author text, distinct by grouping key, under its most presentable
-- spelling; a blank text is no author. A text that named several people stays one author.
--
-- An author whose last book goes is taken away by the code that writes books, not by a trigger:
-- rewriting a book's authors takes each out and puts it back.

CREATE TABLE Auteur (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  nom TEXT NOT NULL CHECK (nom <> ''),
  nomNormalise TEXT NOT NULL,
  cleRegroupement TEXT NOT NULL
);

CREATE UNIQUE INDEX Auteur_cle_unique ON Auteur (cleRegroupement);

-- `position` keeps the order of the cover, from 0.
CREATE TABLE LivreAuteur (
  livreId INTEGER NOT NULL REFERENCES Livre (id) ON DELETE CASCADE,
  auteurId INTEGER NOT NULL REFERENCES Auteur (id) ON DELETE RESTRICT,
  position INTEGER NOT NULL CHECK (position >= 0),
  PRIMARY KEY (livreId, auteurId),
  UNIQUE (livreId, position)
) WITHOUT ROWID;

CREATE INDEX LivreAuteur_auteur ON LivreAuteur (auteurId);

CREATE TEMP TABLE AuteurDuLivre AS
SELECT id AS livreId, nom, cle_regroupement(nom) AS cle
FROM (SELECT id, texte_net(auteur) AS nom FROM Livre)
WHERE nom IS NOT NULL;

INSERT INTO Auteur (nom, nomNormalise, cleRegroupement)
SELECT nom, normaliser(nom), cle
FROM (
  SELECT cle, nom_le_plus_presentable(nom ORDER BY livreId) AS nom, min(livreId) AS premier
  FROM AuteurDuLivre
  GROUP BY cle
)
ORDER BY premier;

INSERT INTO LivreAuteur (livreId, auteurId, position)
SELECT livreId, id, 0 FROM AuteurDuLivre JOIN Auteur ON cleRegroupement = cle;

DROP TABLE temp.AuteurDuLivre;

ALTER TABLE Livre DROP COLUMN auteur;
