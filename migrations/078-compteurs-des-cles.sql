-- When the count of a passkey's signatures first did not advance: it signs in all the same (docs/rules.md § 53).
ALTER TABLE CleAcces ADD COLUMN recul INTEGER;
