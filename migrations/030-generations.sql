-- One line for each start that was followed by a write: from which revision on it gave the next ones. A folder that
-- is put back as files knows nothing of the starts since; by them a copy is found out that has seen what went with it.

CREATE TABLE Generation (
  numero INTEGER PRIMARY KEY AUTOINCREMENT,
  nom TEXT NOT NULL UNIQUE,
  revision INTEGER NOT NULL CHECK (revision >= 0)
);
