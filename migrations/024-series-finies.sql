-- How many volumes a series has, once a person has said that it is finished; NULL: it goes on, or
-- nobody knows. « Complete » is said of such a series alone.

ALTER TABLE Serie ADD COLUMN nombreTomes INTEGER
  CHECK (nombreTomes IS NULL OR (typeof(nombreTomes) = 'integer' AND nombreTomes > 0));
