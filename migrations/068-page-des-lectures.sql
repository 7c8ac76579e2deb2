-- Where a reader is in a book: a page, or a percentage where no count of pages is known, and the day of which it is.

ALTER TABLE Lecture ADD COLUMN page INTEGER CHECK (page >= 1);
ALTER TABLE Lecture ADD COLUMN pourcent INTEGER CHECK (pourcent BETWEEN 0 AND 100);
ALTER TABLE Lecture ADD COLUMN pageJour TEXT CHECK (pageJour <> '');
