-- In which language a reader whom the service knows wants to be told all (docs/rules.md § 61). No act: nobody else sees it.
CREATE TABLE Langue (
  utilisateur TEXT PRIMARY KEY CHECK (utilisateur <> ''),
  langue TEXT NOT NULL CHECK (langue <> '')
) STRICT;
