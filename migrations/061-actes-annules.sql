-- An undoing asks which acts another one has undone, and of twenty thousand kept acts some are long.
CREATE INDEX Modification_annulee ON Modification (annuleeParId) WHERE annuleeParId IS NOT NULL;
