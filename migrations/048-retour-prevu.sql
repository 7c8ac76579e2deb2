-- The day on which a book is to be given back, where one was agreed.
ALTER TABLE Pret ADD COLUMN dateRetourPrevue TEXT CHECK (dateRetourPrevue LIKE '____-__-__');
