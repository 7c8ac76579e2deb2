-- From whom a book is borrowed, {"nom":…,"depuis":…,"aRendre":…}, where it is here and not the household's.

ALTER TABLE Livre ADD COLUMN emprunteA TEXT CHECK (json_valid(emprunteA));
