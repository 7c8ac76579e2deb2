-- What an import did stands in `Trace`: Rayonnage 1.1 has traced the imports of before, of which only the ids were kept.

ALTER TABLE Importation DROP COLUMN made;
ALTER TABLE ImportationLigne DROP COLUMN made;
