-- What an import of a household's export has made is kept by kinds: `records` in the order of making, `given`
-- for fields that records got which were there before.

UPDATE Importation SET made = json_set(
  json_remove(made, '$.rest.revues', '$.rest.issns', '$.rest.numeros', '$.rest.revuesSouhaitees'),
  '$.rest.records', json((SELECT json_group_array(json_array(kind, id, digest)) FROM (
    SELECT 'revues' AS kind, value ->> 0 AS id, value ->> 1 AS digest
    FROM json_each(made, '$.rest.revues')
    UNION ALL
    SELECT 'numeros', value ->> 0, value ->> 1 FROM json_each(made, '$.rest.numeros')
    UNION ALL
    SELECT 'souhaits-revues', value ->> 0, value ->> 1
    FROM json_each(made, '$.rest.revuesSouhaitees')))),
  '$.rest.given', json((SELECT json_group_array(json_array('revues', value ->> 0, 'issn', value ->> 1))
    FROM json_each(made, '$.rest.issns'))))
WHERE json_type(made, '$.rest') = 'object';
