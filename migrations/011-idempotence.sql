-- The answers to POST requests with an Idempotency-Key, so that the same request sent twice writes
-- once. An answer is inserted in the transaction of its write. `utilisateur` is '' for an unknown
-- caller, `date` is in milliseconds since 1970.

CREATE TABLE KeptAnswer (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  utilisateur TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  date INTEGER NOT NULL,
  status INTEGER NOT NULL,
  headers TEXT NOT NULL,
  body TEXT NOT NULL,
  UNIQUE (utilisateur, key)
);

CREATE INDEX KeptAnswer_date ON KeptAnswer (date);
