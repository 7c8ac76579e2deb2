-- The revision that the file itself held when its write-ahead log began (docs/rules.md § 42): a file that holds less
-- was put beside a log that is not its own. NULL where that is not known.
ALTER TABLE Installation ADD COLUMN revisionFichier INTEGER;
