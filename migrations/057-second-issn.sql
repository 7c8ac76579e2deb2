-- A print edition and an online one have an ISSN each. That no ISSN is the first and the second one, of two periodicals
-- or of one, is held by the code that writes them.
ALTER TABLE Revue ADD COLUMN secondIssn TEXT CHECK (secondIssn <> '');

CREATE UNIQUE INDEX Revue_secondIssn_unique ON Revue (secondIssn) WHERE secondIssn IS NOT NULL;
