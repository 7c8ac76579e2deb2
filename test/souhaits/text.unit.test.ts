import { expect, test } from 'vitest';
import type { Souhait } from '#shared/souhaits';
import type { RevueSouhaitee } from '#shared/souhaits-revues';
import { formatSouhaits, type SouhaitLists } from '#shared/souhaits-text';

const dateAjout = '2026-01-01T00:00:00.000Z';

const livre = (rang: number, titre: string, auteur: string | null = null): Souhait => ({
  id: rang,
  rang,
  titre,
  auteur,
  dateAjout,
  isbn: null,
  isbnAffiche: null,
  coverUrl: null,
  couverture: null,
});
const revue = (rang: number, titre: string, numero: string | null = null): RevueSouhaitee => ({
  id: rang,
  rang,
  titre,
  numero,
  issn: null,
  dateAjout,
});

/** The lines below the heading. */
const linesOf = (lists: Partial<SouhaitLists>): string[] => {
  const day = new Date(2026, 2, 1);
  const [heading, ...lines] = formatSouhaits({ souhaits: [], revues: [], ...lists }, day).split(
    '\n',
  );
  expect(heading).toBe('Liste de souhaits du 1er mars 2026');
  return lines;
};

test('authors are sorted by family name, each once, those without one last', () => {
  const souhaits = [
    livre(1, 'Les Misérables', 'Victor Hugo'),
    livre(2, 'Les Mille et Une Nuits'),
    livre(3, 'Les Années', 'Annie Ernaux'),
    livre(4, 'La Cousine Bette', 'Honoré de Balzac'),
    livre(5, 'La Place', 'Ernaux, Annie'),
    livre(6, 'Tristan et Iseut'),
  ];
  expect(linesOf({ souhaits })).toEqual([
    '',
    'LIVRES',
    '',
    'Honoré de Balzac',
    '  4. La Cousine Bette',
    '',
    'Annie Ernaux',
    '  3. Les Années',
    '  5. La Place',
    '',
    'Victor Hugo',
    '  1. Les Misérables',
    '',
    'Auteur non précisé',
    '  2. Les Mille et Une Nuits',
    '  6. Tristan et Iseut',
    '',
  ]);
});

test('only a list with wishes has a part', () => {
  const souhaits = [livre(1, 'Sido', 'Colette')];
  const revues = [revue(1, 'Rivages')];
  const ofLivres = ['', 'LIVRES', '', 'Colette', '  1. Sido'];
  const ofRevues = ['', 'REVUES', '', '  1. Rivages'];
  expect(linesOf({ souhaits })).toEqual([...ofLivres, '']);
  expect(linesOf({ revues })).toEqual([...ofRevues, '']);
  expect(linesOf({ souhaits, revues })).toEqual([...ofLivres, ...ofRevues, '']);
  expect(linesOf({})).toEqual(['', 'La liste est vide.', '']);
});

test('codes and numbers follow the title, all on one line', () => {
  const code = { isbnAffiche: '978-2-07-036002-4' };
  const souhaits = [{ ...livre(1, 'Un\r\n9. Faux', 'A\n\nB'), ...code }];
  const revues = [
    { ...revue(1, 'Les\nCahiers', '12\nbis'), issn: '0988-2480' },
    revue(2, 'Cahiers', 'HS 3'),
  ];
  expect(linesOf({ souhaits, revues })).toEqual([
    '',
    'LIVRES',
    '',
    'A B',
    '  1. Un 9. Faux — ISBN 978-2-07-036002-4',
    '',
    'REVUES',
    '',
    '  1. Les Cahiers, n°\u00a012 bis — ISSN 0988-2480',
    '  2. Cahiers, HS 3',
    '',
  ]);
});
