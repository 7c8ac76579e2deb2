-- What a household knows of a book under names of its own, in their order: [{"nom":…,"valeur":…}]; NULL where there is
-- nothing.

ALTER TABLE Livre ADD COLUMN details TEXT CHECK (json_valid(details) AND details <> '[]');

CREATE INDEX Livre_details ON Livre (id) WHERE details IS NOT NULL;
