-- Two triggers of migration 34 order names inside an aggregate function, which SQLite has known since 3.44 only: an
-- older one opens no file with them in it, and nobody could look into their own. They say the same in words of 3.40.

DROP TRIGGER LivreAuteur_lu;
DROP TRIGGER Livre_lu;

CREATE TRIGGER LivreAuteur_lu BEFORE DELETE ON LivreAuteur
WHEN EXISTS (SELECT 1 FROM Lecture WHERE livreId = old.livreId)
  AND NOT EXISTS (SELECT 1 FROM Dormant WHERE kind = 'Livre' AND id = old.livreId) BEGIN
  INSERT INTO Dormant SELECT 'Livre', l.id, '', json_object('titre', l.titre, 'isbn', l.isbn, 'auteurs', (
    SELECT json_group_array(nom) FROM (
      SELECT a.nom FROM LivreAuteur la JOIN Auteur a ON a.id = la.auteurId
      WHERE la.livreId = old.livreId ORDER BY la.position))),
    strftime('%Y-%m-%dT%H:%M:%fZ')
  FROM Livre l WHERE l.id = old.livreId;
END;

CREATE TRIGGER Livre_lu BEFORE DELETE ON Livre
WHEN EXISTS (SELECT 1 FROM Lecture WHERE livreId = old.id) BEGIN
  DELETE FROM Dormant
  WHERE kind = 'Livre' AND id = old.id AND EXISTS (SELECT 1 FROM LivreAuteur WHERE livreId = old.id);
  UPDATE Dormant SET image = json_set(image, '$.titre', old.titre, '$.isbn', old.isbn)
  WHERE kind = 'Livre' AND id = old.id;
  INSERT INTO Dormant SELECT 'Livre', old.id, '', json_object('titre', old.titre, 'isbn', old.isbn, 'auteurs', (
    SELECT json_group_array(nom) FROM (
      SELECT a.nom FROM LivreAuteur la JOIN Auteur a ON a.id = la.auteurId
      WHERE la.livreId = old.id ORDER BY la.position))),
    strftime('%Y-%m-%dT%H:%M:%fZ')
  WHERE NOT EXISTS (SELECT 1 FROM Dormant WHERE kind = 'Livre' AND id = old.id);
END;
