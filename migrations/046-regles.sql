-- The digest of the rules by which all rows are (docs/rules.md § 30); NULL where that is not known.
ALTER TABLE Installation ADD COLUMN regles TEXT;
