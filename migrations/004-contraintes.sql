-- Books and loans with the constraints that are the last guard of the domain's rules. What an
-- older file holds outside of them becomes « unknown », or the default where there must be a value.

CREATE TABLE LivreNeuf (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  titre TEXT NOT NULL CHECK (titre <> ''),
  titreNormalise TEXT NOT NULL,
  cleOeuvre TEXT NOT NULL,
  isbn TEXT CHECK (length(isbn) = 13),
  format TEXT NOT NULL CHECK (format IN ('Physique', 'Numerique')),
  typeDocument TEXT NOT NULL DEFAULT 'NonPrecise'
    CHECK (typeDocument IN ('NonPrecise', 'Roman', 'BandeDessinee')),
  nombrePages INTEGER CHECK (typeof(nombrePages) IN ('null', 'integer') AND nombrePages > 0),
  coverUrl TEXT,
  editeur TEXT,
  annee INTEGER CHECK (typeof(annee) IN ('null', 'integer') AND annee BETWEEN -3000 AND 3000),
  ajoutePar TEXT,
  dateAjout TEXT NOT NULL CHECK (dateAjout LIKE '____-__-__T%Z')
);

-- Numbers that were given are not given again, those of deleted books included.
INSERT INTO sqlite_sequence (name, seq)
SELECT 'LivreNeuf', seq FROM sqlite_sequence WHERE name = 'Livre';

INSERT INTO LivreNeuf
SELECT
  id,
  net,
  normaliser(net),
  cle_oeuvre(net),
  lire_isbn(isbn),
  CASE WHEN format = 'Numerique' THEN format ELSE 'Physique' END,
  CASE WHEN typeDocument IN ('Roman', 'BandeDessinee') THEN typeDocument ELSE 'NonPrecise' END,
  CASE WHEN typeof(nombrePages) = 'integer' AND nombrePages BETWEEN 1 AND 1000000
    THEN nombrePages END,
  texte_net(coverUrl),
  texte_net(editeur),
  CASE WHEN typeof(annee) = 'integer' AND annee BETWEEN -3000 AND 3000 THEN annee END,
  nullif(trim(ajoutePar), ''),
  coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', dateAjout), strftime('%Y-%m-%dT%H:%M:%fZ'))
FROM (SELECT *, coalesce(texte_net(titre), 'Sans titre') AS net FROM Livre)
ORDER BY id;

DROP TABLE Livre;
ALTER TABLE LivreNeuf RENAME TO Livre;

CREATE INDEX Livre_titreNormalise ON Livre (titreNormalise);
CREATE INDEX Livre_cleOeuvre ON Livre (cleOeuvre);
CREATE INDEX Livre_isbn ON Livre (isbn) WHERE isbn IS NOT NULL;
CREATE INDEX Livre_coverUrl ON Livre (coverUrl) WHERE coverUrl IS NOT NULL;

CREATE TABLE PretNeuf (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  livreId INTEGER NOT NULL REFERENCES Livre (id) ON DELETE CASCADE,
  emprunteur TEXT NOT NULL CHECK (emprunteur <> ''),
  datePret TEXT NOT NULL CHECK (datePret LIKE '____-__-__T%Z'),
  dateRetour TEXT CHECK (dateRetour LIKE '____-__-__T%Z')
);

INSERT INTO sqlite_sequence (name, seq)
SELECT 'PretNeuf', seq FROM sqlite_sequence WHERE name = 'Pret';

INSERT INTO PretNeuf
SELECT
  id,
  livreId,
  coalesce(texte_net(emprunteur), 'Non précisé'),
  coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', datePret), strftime('%Y-%m-%dT%H:%M:%fZ')),
  CASE WHEN dateRetour IS NOT NULL THEN
    coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', dateRetour), strftime('%Y-%m-%dT%H:%M:%fZ')) END
FROM Pret
WHERE livreId IN (SELECT id FROM Livre)
ORDER BY id;

DROP TABLE Pret;
ALTER TABLE PretNeuf RENAME TO Pret;

CREATE UNIQUE INDEX Pret_ouvert_unique ON Pret (livreId) WHERE dateRetour IS NULL;
CREATE INDEX Pret_livre ON Pret (livreId);
