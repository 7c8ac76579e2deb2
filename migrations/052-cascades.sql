-- 1 where a row that names a word (the author of a book) went or came along with its record: what the record names
-- when it comes back is told by the last other line of such a row.
ALTER TABLE Trace ADD COLUMN entraine INTEGER NOT NULL DEFAULT 0;

-- What acts deleted with its record, as far as these lines tell.
UPDATE Trace SET entraine = 1
WHERE nom IN ('LivreAuteur', 'LivreTheme', 'NumeroTheme') AND apres IS NULL
  AND EXISTS (
    SELECT 1 FROM Trace AS record
    WHERE record.nom = iif(Trace.nom = 'NumeroTheme', 'Numero', 'Livre')
      AND record.cle = coalesce(Trace.avant ->> 'livreId', Trace.avant ->> 'numeroId')
      AND record.acte = Trace.acte AND record.apres IS NULL)
  AND NOT EXISTS (
    SELECT 1 FROM Trace AS later
    WHERE later.nom = Trace.nom AND later.cle = Trace.cle AND later.acte = Trace.acte AND later.seq > Trace.seq);
