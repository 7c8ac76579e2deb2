-- The journal's revision after the service's last write (docs/rules.md § 30): what is beyond it another program has
-- written. NULL where that is not known.
ALTER TABLE Installation ADD COLUMN revisionEcrite INTEGER;
