-- The model that the service began with (specification « Migration »): a book with its author as
-- one text and one reading status that the whole household shares. A database of that time is
-- this file applied and `user_version` 1, with or without the table `Migration`.

CREATE TABLE Livre (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  titre TEXT NOT NULL,
  auteur TEXT,
  isbn TEXT,
  format TEXT NOT NULL DEFAULT 'Physique',
  typeDocument TEXT NOT NULL DEFAULT 'NonPrecise',
  nombrePages INTEGER,
  coverUrl TEXT,
  editeur TEXT,
  annee INTEGER,
  statut INTEGER,
  ajoutePar TEXT,
  dateAjout TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ'))
);

CREATE TABLE Pret (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  livreId INTEGER NOT NULL REFERENCES Livre (id) ON DELETE CASCADE,
  emprunteur TEXT NOT NULL,
  datePret TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ')),
  dateRetour TEXT
);

CREATE UNIQUE INDEX Pret_ouvert_unique ON Pret (livreId) WHERE dateRetour IS NULL;
