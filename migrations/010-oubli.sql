-- What a device is told of deletions has an end: the lines of what was deleted long ago are taken
-- out of the journal, and `revisionMin` remembers up to where. A copy that has come less far would
-- keep what it was never told is gone.

ALTER TABLE Installation ADD COLUMN revisionMin INTEGER NOT NULL DEFAULT 0 CHECK (revisionMin >= 0);

-- The last revision of each day with a change, by which the age of a line is known.
CREATE TABLE JournalDate (
  revision INTEGER PRIMARY KEY,
  date TEXT NOT NULL UNIQUE CHECK (date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]')
);

-- A page of a pull is read in the journal's own order, whatever the collection.
DROP INDEX Journal_page;
