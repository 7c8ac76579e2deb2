-- What a reader wants to be told of the gifts for them, and to have told: `donnes` lets whoever has the link of their list
-- see what is given already; `savoirLe` is the day from which they see it themselves.
CREATE TABLE OffresMontrees (
  utilisateur TEXT PRIMARY KEY CHECK (utilisateur <> ''),
  donnes INTEGER NOT NULL CHECK (donnes IN (0, 1)),
  savoirLe TEXT CHECK (savoirLe LIKE '____-__-__')
) STRICT, WITHOUT ROWID;
