-- What a folder of covers is known to belong to, whatever the file is called; a restored backup keeps it.
ALTER TABLE Installation ADD COLUMN bibliotheque TEXT NOT NULL DEFAULT '';
UPDATE Installation SET bibliotheque = epoque;
