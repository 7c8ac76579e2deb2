-- A status goes and comes with its book as its authors do: what older acts deleted so, as far as their lines tell.
UPDATE Trace SET entraine = 1
WHERE nom = 'Statut' AND apres IS NULL
  AND EXISTS (
    SELECT 1 FROM Trace AS record
    WHERE record.nom = 'Livre' AND record.cle = Trace.avant ->> 'livreId'
      AND record.acte = Trace.acte AND record.apres IS NULL)
  AND NOT EXISTS (
    SELECT 1 FROM Trace AS later
    WHERE later.nom = Trace.nom AND later.cle = Trace.cle AND later.acte = Trace.acte AND later.seq > Trace.seq);
