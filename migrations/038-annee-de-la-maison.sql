-- Who lets their readings be counted in the household's year (docs/rules.md § 56): nobody unless they say so.
-- It is nobody else's to know: in no journal, act or export.
CREATE TABLE AccordAnnee (
  utilisateur TEXT PRIMARY KEY CHECK (utilisateur <> '')
) STRICT, WITHOUT ROWID;
