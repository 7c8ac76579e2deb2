-- Where a book stands on its shelf, from left to right: an order of which only the sequence counts. NULL where nobody
-- has said, and for a book that stands nowhere.
ALTER TABLE Livre ADD COLUMN rang INTEGER CHECK (rang >= 0);
