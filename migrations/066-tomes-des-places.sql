-- The volumes that a book of several holds, as a person says it: « 4-6 », or « aucun » for none but itself; NULL where its
-- number or its title says it.

ALTER TABLE Place ADD COLUMN tomes TEXT CHECK (tomes <> '');
