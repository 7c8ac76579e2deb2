-- What the household calls its library, once a person has said so; else LIBRARY_NAME.

CREATE TABLE Bibliotheque (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  nom TEXT NOT NULL CHECK (nom <> '')
) STRICT;
