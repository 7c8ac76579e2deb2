-- « À compléter » (docs/rules.md § 44): the books of imports about which the catalogues are asked for
-- what the file did not say, and what they answered. A row goes with its book, and once it is decided.

CREATE TABLE Complement (
  livreId INTEGER PRIMARY KEY REFERENCES Livre (id) ON DELETE CASCADE,
  -- 'attente' until the catalogues have been asked, 'trouve' for an answer to decide about, 'rien' for
  -- a book that they do not know more of, 'silence' where one of them did not answer.
  etat TEXT NOT NULL CHECK (etat IN ('attente', 'trouve', 'rien', 'silence')),
  -- What they were asked about.
  isbn TEXT,
  -- What was found; the title only where it is that of another work.
  titre TEXT,
  editeur TEXT,
  annee INTEGER,
  nombrePages INTEGER
);

CREATE INDEX Complement_etat ON Complement (etat, livreId);
