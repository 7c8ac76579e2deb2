-- The record of a request that was sent with an Idempotency-Key is named as the field names it.

ALTER TABLE KeptAnswer RENAME TO IdempotencyRecord;

DROP INDEX KeptAnswer_date;

CREATE INDEX IdempotencyRecord_date ON IdempotencyRecord (date);
