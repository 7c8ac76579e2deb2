-- What a row made that the catalogues completed after its import, as JSON: the import's own text would else be
-- written anew, and longer, with each of its rows.

ALTER TABLE ImportationLigne ADD COLUMN made TEXT;
