-- Who was the first to sign in on a device (NULL where that is not known any more), and whether another member was since:
-- their sessions may have ended. Neither is replicated, part of an act or exported.
ALTER TABLE Appareil ADD COLUMN membreId INTEGER REFERENCES Membre (id) ON DELETE SET NULL;
ALTER TABLE Appareil ADD COLUMN partage INTEGER NOT NULL DEFAULT 0 CHECK (partage IN (0, 1));
