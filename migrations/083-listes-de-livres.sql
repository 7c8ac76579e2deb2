-- Lists made by hand: the books of a selection whose `criteres` is the JSON `null`. A row goes and comes with its book, so
-- the key begins with the book. `utilisateur` is that of the selection, which triggers keep.
CREATE TABLE SelectionLivre (
  livreId INTEGER NOT NULL REFERENCES Livre (id) ON DELETE CASCADE,
  selectionId INTEGER NOT NULL REFERENCES Selection (id) ON DELETE CASCADE,
  utilisateur TEXT NOT NULL,
  position INTEGER NOT NULL CHECK (typeof(position) = 'integer' AND position >= 0),
  PRIMARY KEY (livreId, selectionId)
);

CREATE INDEX SelectionLivre_selection ON SelectionLivre (selectionId, position);

CREATE TRIGGER Selection_proprietaire AFTER UPDATE OF utilisateur ON Selection
WHEN old.utilisateur <> new.utilisateur BEGIN
  UPDATE SelectionLivre SET utilisateur = new.utilisateur WHERE selectionId = new.id;
END;

CREATE TRIGGER SelectionLivre_proprietaire AFTER INSERT ON SelectionLivre BEGIN
  UPDATE SelectionLivre
    SET utilisateur = (SELECT utilisateur FROM Selection WHERE id = new.selectionId)
    WHERE livreId = new.livreId AND selectionId = new.selectionId
      AND utilisateur <> (SELECT utilisateur FROM Selection WHERE id = new.selectionId);
END;

-- The journal

CREATE TRIGGER SelectionLivre_ajoute AFTER INSERT ON SelectionLivre BEGIN
  INSERT INTO Ligne SELECT 'selections', id, utilisateur, 0 FROM Selection WHERE id = new.selectionId;
END;

CREATE TRIGGER SelectionLivre_modifie AFTER UPDATE OF position ON SelectionLivre BEGIN
  INSERT INTO Ligne SELECT 'selections', id, utilisateur, 0 FROM Selection WHERE id = new.selectionId;
END;

CREATE TRIGGER SelectionLivre_supprime AFTER DELETE ON SelectionLivre BEGIN
  INSERT INTO Ligne SELECT 'selections', id, utilisateur, 0 FROM Selection WHERE id = old.selectionId;
END;
