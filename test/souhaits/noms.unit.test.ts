import { expect, test } from 'vitest';
import { MAX_LENGTHS } from '#shared/fields';
import { joinAuteurs, souhaitKey, splitAuteurs } from '#shared/souhaits';
import { revueSouhaiteeKey } from '#shared/souhaits-revues';

test('names are one text, and come apart again', () => {
  expect(joinAuteurs([])).toBeNull();
  expect(joinAuteurs(['Ana', 'Luc'])).toBe('Ana ; Luc');
  expect(splitAuteurs(' Ana;Luc ; ')).toEqual(['Ana', 'Luc']);
  expect(splitAuteurs(null)).toEqual([]);
});

test('joined names too long for a field are cut cleanly', () => {
  const nom = 'x'.repeat(MAX_LENGTHS.nom - 1);
  expect(joinAuteurs([nom, 'Luc'])).toBe(nom);
  expect(joinAuteurs([nom.slice(3), 'Luc'])).toBe(`${nom.slice(3)} ; L`);
  const signs = '𠮷'.repeat(MAX_LENGTHS.nom);
  expect(joinAuteurs([`a${signs}`])).toBe(`a${signs.slice(2)}`);
});

test('a wish is known by its work and its author', () => {
  const tigre = souhaitKey({ titre: 'Triste Tigre', auteur: 'Neige Sinno' });
  expect(souhaitKey({ titre: 'TRISTE TIGRE : récit', auteur: 'Sinno, Neige' })).toBe(tigre);
  expect(souhaitKey({ titre: 'Triste Tigre', auteur: null })).not.toBe(tigre);
  expect(souhaitKey({ titre: 'Tigre', auteur: 'Neige Sinno' })).not.toBe(tigre);
});

test('a wished issue is known by its periodical and number', () => {
  const four = revueSouhaiteeKey({ titre: 'Zoom', numero: '4' });
  expect(revueSouhaiteeKey({ titre: 'ZOOM', numero: ' 4 ' })).toBe(four);
  for (const other of [
    { titre: 'Zoom', numero: '5' },
    { titre: 'Zoom', numero: null },
    { titre: 'Loupe', numero: '4' },
  ])
    expect(revueSouhaiteeKey(other)).not.toBe(four);
});
