-- What a wish said when somebody offered it, and whose it is: an offer ends where the wish says something else, and its
-- giver is told so even once the wish is gone (docs/rules.md § 59).
ALTER TABLE Offre ADD COLUMN de TEXT;
ALTER TABLE Offre ADD COLUMN titre TEXT;
ALTER TABLE Offre ADD COLUMN auteur TEXT;
ALTER TABLE OffreDeVisite ADD COLUMN titre TEXT;
ALTER TABLE OffreDeVisite ADD COLUMN auteur TEXT;

UPDATE Offre SET (de, titre, auteur) = (SELECT utilisateur, titre, auteur FROM Souhait WHERE id = souhaitId);
UPDATE OffreDeVisite SET (titre, auteur) = (SELECT titre, auteur FROM Souhait WHERE id = souhaitId);
