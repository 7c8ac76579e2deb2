-- Whether the line that names the columns of such a table is a book itself; NULL where nothing was said (docs/rules.md § 35).
ALTER TABLE ImportationColonnes ADD COLUMN premiereLigne TEXT CHECK (premiereLigne IN ('livre', 'entete'));
