-- What is kept of a file that was read is which sentence tells it (`code`), with the names, counts and values as they were
-- (`arguments`), as JSON. A sentence of an earlier version that cannot be told for sure stays one (`phrase`).

UPDATE ImportationAvertissement SET raison = raison_de_la_phrase(raison);

UPDATE ImportationLigne SET raison = raison_de_la_phrase(raison) WHERE raison IS NOT NULL;

UPDATE ImportationLigne SET content = json_set(content, '$.refus', raison_de_la_phrase(content ->> '$.refus'))
WHERE content ->> '$.refus' IS NOT NULL;

UPDATE ImportationLigne
SET content = json_set(content, '$.avertissements', json((
  SELECT json_group_array(raison_de_la_phrase(said.value)) FROM json_each(content, '$.avertissements') AS said)))
WHERE json_array_length(content, '$.avertissements') > 0;

UPDATE Importation
SET counts = json_set(counts, '$.deFichier', json((
  SELECT json_group_array(raison_de_la_phrase(said.value)) FROM json_each(counts, '$.deFichier') AS said)))
WHERE json_array_length(counts, '$.deFichier') > 0;
