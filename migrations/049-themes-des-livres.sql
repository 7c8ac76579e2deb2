-- The themes of books, words of the vocabulary that issues use (009).

CREATE TABLE LivreTheme (
  livreId INTEGER NOT NULL REFERENCES Livre (id) ON DELETE CASCADE,
  themeId INTEGER NOT NULL REFERENCES Theme (id) ON DELETE RESTRICT,
  position INTEGER NOT NULL CHECK (position >= 0),
  PRIMARY KEY (livreId, themeId),
  UNIQUE (livreId, position)
) WITHOUT ROWID;

CREATE INDEX LivreTheme_theme ON LivreTheme (themeId);

CREATE TRIGGER LivreTheme_ajoute AFTER INSERT ON LivreTheme BEGIN
  INSERT INTO Ligne VALUES ('livres', new.livreId, '', 0);
END;

CREATE TRIGGER LivreTheme_modifie AFTER UPDATE ON LivreTheme BEGIN
  INSERT INTO Ligne VALUES ('livres', old.livreId, '', 0);
  INSERT INTO Ligne VALUES ('livres', new.livreId, '', 0);
END;

CREATE TRIGGER LivreTheme_supprime AFTER DELETE ON LivreTheme
WHEN EXISTS (SELECT 1 FROM Livre WHERE id = old.livreId) BEGIN
  INSERT INTO Ligne VALUES ('livres', old.livreId, '', 0);
END;

DROP TRIGGER Theme_renomme;

CREATE TRIGGER Theme_renomme AFTER UPDATE OF nom ON Theme WHEN new.nom <> old.nom BEGIN
  INSERT INTO Ligne SELECT 'numeros', numeroId, '', 0 FROM NumeroTheme WHERE themeId = new.id;
  INSERT INTO Ligne SELECT 'livres', livreId, '', 0 FROM LivreTheme WHERE themeId = new.id;
END;
