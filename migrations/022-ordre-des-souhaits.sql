-- What a list of wishes is sorted by. A rank has no holes, so that each wish that goes moves all behind it;
-- this number stays, and a wish that comes back stands where it stood, whatever went or came meanwhile.
-- A new wish has its id, which is above all that were there before.

ALTER TABLE Souhait ADD COLUMN ordre INTEGER;
ALTER TABLE RevueSouhaitee ADD COLUMN ordre INTEGER;

-- No document shows it: the journal has nothing to tell.
DROP TRIGGER Souhait_modifie;
DROP TRIGGER RevueSouhaitee_modifie;

UPDATE Souhait SET ordre = rang;
UPDATE RevueSouhaitee SET ordre = rang;

CREATE TRIGGER Souhait_modifie AFTER UPDATE ON Souhait BEGIN
  INSERT INTO Ligne VALUES ('souhaits', new.id, new.utilisateur, 0);
END;

CREATE TRIGGER RevueSouhaitee_modifie AFTER UPDATE ON RevueSouhaitee BEGIN
  INSERT INTO Ligne VALUES ('souhaits-revues', new.id, new.utilisateur, 0);
END;
