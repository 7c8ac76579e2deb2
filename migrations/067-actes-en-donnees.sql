-- What is kept of an act is what happened, not how it is told: `arguments` is JSON, whose `fait` says which sentence
-- tells it, with the names, counts and values as they were. An act whose old sentence cannot be read for sure keeps that
-- (`phrase`). What an act is called once it is taken back follows from its operation.

ALTER TABLE Modification ADD COLUMN arguments TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(arguments));

-- An undoing of an undoing tells of the act that was undone first.
WITH RECURSIVE Defait (id, racine) AS (
  SELECT id, annuleId FROM Modification WHERE operation = 'annulerModification' AND annuleId IS NOT NULL
  UNION
  SELECT Defait.id, m.annuleId
  FROM Defait
  JOIN Modification AS m ON m.id = Defait.racine
  WHERE m.operation = 'annulerModification' AND m.annuleId IS NOT NULL
)
UPDATE Modification
SET arguments = arguments_de_la_phrase(operation, resume, fiches, (
  SELECT racine.operation
  FROM Defait
  JOIN Modification AS racine ON racine.id = Defait.racine
  WHERE Defait.id = Modification.id AND racine.operation <> 'annulerModification'));

ALTER TABLE Modification DROP COLUMN resume;
ALTER TABLE Modification DROP COLUMN undone;
