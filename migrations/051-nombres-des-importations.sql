-- What an import has brought is counted where its other counts are: its rows go after thirty days. Dry runs and imports of
-- earlier versions get what is kept since.

-- Earlier versions kept a file while it was read.
DELETE FROM ImportationLigne WHERE importationId IN (SELECT id FROM Importation WHERE etat = 'lecture');
DELETE FROM ImportationReste WHERE importationId IN (SELECT id FROM Importation WHERE etat = 'lecture');
DELETE FROM Importation WHERE etat = 'lecture';

-- What was said of a file as a whole stood among what was said of its first row.
UPDATE Importation
SET counts = json_set(counts, '$.deFichier', json((
  SELECT json_group_array(said.value ->> 'raison')
  FROM json_each(counts, '$.avertissements') AS said
  WHERE said.value ->> 'ligne' = 1 AND said.value ->> 'raison' NOT IN (
    SELECT ofRow.value FROM ImportationLigne AS l, json_each(l.content, '$.avertissements') AS ofRow
    WHERE l.importationId = Importation.id AND l.ligne = 1))))
WHERE counts -> '$.deFichier' IS NULL;

UPDATE Importation
SET counts = json_set(counts, '$.avertissements', json((
  SELECT json_group_array(json(said.value)) FROM json_each(counts, '$.avertissements') AS said
  WHERE said.value ->> 'ligne' <> 1 OR said.value ->> 'raison' NOT IN (
    SELECT value FROM json_each(counts, '$.deFichier')))));

UPDATE Importation
SET counts = json_insert(counts,
  '$.ofRows', json_object(
    'nouveaux', (SELECT count(*) FROM ImportationLigne WHERE importationId = Importation.id AND sort = 'nouveau'),
    'presents', (SELECT count(*) FROM ImportationLigne WHERE importationId = Importation.id AND sort = 'present'),
    'souhaits', (SELECT count(*) FROM ImportationLigne WHERE importationId = Importation.id AND sort = 'souhait'),
    'completes', coalesce(counts ->> '$.completes', 0),
    'statuts', counts ->> '$.statuts', 'prets', counts ->> '$.prets', 'series', counts ->> '$.series',
    'notes', coalesce(counts ->> '$.notes', 0),
    'datesDeLecture', coalesce(counts ->> '$.datesDeLecture', 0)),
  '$.rest', json('{"shared":0,"personal":0,"filled":0,"refused":0,"returned":0}'),
  '$.seriesProposees', json('[]'), '$.perdus', json('[]'), '$.perdusThemes', json('[]'),
  '$.themesProposes', json('[]'), '$.exemples', json('[]'), '$.seriesIgnorees', json('[]'), '$.decisions', json('[]'));

-- Rows of before there were readings, locations and names as their file has them.
UPDATE ImportationLigne
SET content = json_remove(json_set(content, '$.row.auteurs', json(content -> '$.auteursEcrits')), '$.auteursEcrits')
WHERE content -> '$.auteursEcrits' IS NOT NULL;

UPDATE ImportationLigne
SET content = json_insert(content, '$.row.lectures', json('[]'), '$.row.emplacement', json('[]'))
WHERE content -> '$.row.lectures' IS NULL OR content -> '$.row.emplacement' IS NULL;
