-- What people did: one row an act, and what it takes to undo it. The triggers that write down what an
-- act does are temporary and made when the database is opened, from the tables as they then are.

-- `proprietaire` is '' where all of the house may read the act, else the one who may. `annuleId` is
-- the act that this one undoes, `annuleeParId` the one that undoes this one, while it is in force.
-- `fiches` is JSON: the records that it touched and their fields, without anything personal where
-- the act is everyone's.
CREATE TABLE Modification (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  date TEXT NOT NULL CHECK (date LIKE '____-__-__T%Z'),
  utilisateur TEXT CHECK (utilisateur <> ''),
  proprietaire TEXT NOT NULL,
  operation TEXT NOT NULL CHECK (operation <> ''),
  resume TEXT NOT NULL CHECK (resume <> ''),
  fiches TEXT NOT NULL,
  annuleId INTEGER,
  annuleeParId INTEGER
);

-- The rows before and after, step by step: JSON, deflated. Apart, so that a list does not read it.
CREATE TABLE ModificationTrace (
  modificationId INTEGER PRIMARY KEY REFERENCES Modification (id) ON DELETE CASCADE,
  steps BLOB NOT NULL
);
