-- Beside which file the write-ahead log grows (docs/rules.md § 42), as JSON: a file that was put beside it since is told at the start. NULL where
-- that is not known.
ALTER TABLE Installation ADD COLUMN noteFichier TEXT;
