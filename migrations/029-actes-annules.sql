-- What an act is called once it is taken back: « Le retour {} est annulé ». Operations say it since; of an act
-- that was kept before it follows from the name of its operation.

ALTER TABLE Modification ADD COLUMN undone TEXT NOT NULL DEFAULT '';

-- Devices do not hold it: they need not be told.
DROP TRIGGER Modification_modifie;

UPDATE Modification
SET undone = CASE
  WHEN operation IN ('importer', 'annulerImportation') THEN ''
  WHEN operation LIKE 'annuler%' THEN 'L’annulation est annulée'
  WHEN operation = 'ajouterNumero' THEN 'L’ajout {numeros} est annulé'
  WHEN operation = 'modifierNumero' THEN 'La modification {numeros} est annulée'
  WHEN operation = 'supprimerNumero' THEN 'La suppression {numeros} est annulée'
  WHEN operation LIKE 'ajouter%' OR operation LIKE 'souhaiter%' THEN 'L’ajout {} est annulé'
  WHEN operation = 'supprimerLivre' THEN 'La suppression {livres} est annulée'
  WHEN operation = 'supprimerSerie' THEN 'La suppression {series} est annulée'
  WHEN operation = 'supprimerEmplacement' THEN 'La suppression {emplacements} est annulée'
  WHEN operation = 'supprimerRevue' THEN 'La suppression {revues} est annulée'
  WHEN operation = 'supprimerSouhait' THEN 'La suppression {souhaits} est annulée'
  WHEN operation = 'supprimerRevueSouhaitee' THEN 'La suppression {souhaits-revues} est annulée'
  WHEN operation = 'preter' THEN 'Le prêt {} est annulé'
  WHEN operation = 'rendre' THEN 'Le retour {} est annulé'
  WHEN operation = 'modifierPret' THEN 'La correction du prêt {} est annulée'
  WHEN operation = 'modifierStatut' THEN 'Le changement de statut {} est annulé'
  WHEN operation LIKE 'placer%' THEN 'Le changement de série {} est annulé'
  WHEN operation LIKE 'ranger%' THEN 'Le changement d’emplacement {} est annulé'
  WHEN operation = 'ordonnerSerie' THEN 'Le rangement {} est annulé'
  WHEN operation LIKE 'ordonner%' THEN 'Le rangement est annulé'
  WHEN operation LIKE 'fusionner%' THEN 'La réunion est annulée'
  WHEN operation = 'refuserFusion' THEN 'La séparation est annulée'
  WHEN operation LIKE '%Couverture' THEN 'Le changement de couverture {} est annulé'
  WHEN operation = 'accepterComplements' THEN 'Le complément {} est annulé'
  ELSE 'La modification {} est annulée'
END;

CREATE TRIGGER Modification_modifie AFTER UPDATE ON Modification BEGIN
  INSERT INTO Ligne VALUES ('modifications', new.id, new.proprietaire, 0);
END;
