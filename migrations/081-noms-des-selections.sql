-- The criteria of a kept search as the names in them are by now (docs/rules.md § 62): no act tells it.
ALTER TABLE Selection ADD COLUMN actuels TEXT CHECK (actuels IS NULL OR json_valid(actuels));
