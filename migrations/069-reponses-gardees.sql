-- An answer that is kept for its key keeps what its act was, as the act does, and no sentence of it; one that was kept with its
-- sentence goes within a day.
ALTER TABLE IdempotencyRecord ADD COLUMN arguments TEXT;
