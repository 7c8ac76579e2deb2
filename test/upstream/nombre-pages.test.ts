import { expect, test } from 'vitest';
import { parseNombrePages } from '#server/plumbing/upstream/texts';

test.each<[string, number | null]>([
  ['1 vol. (96 p.) : ill. ; 18 cm', 96],
  ['1 vol. (223 p.) : ill. en coul. ; 29 cm', 223],
  ['233 p. et index ; in-12', 233],
  ['VIII-217 p. ; in-4', 217],
  ['1 vol. (XVI-350 p.) ; 24 cm', 350],
  ['In-8° , 282 p., index et privilège. (Van der Haeghen, II, 137.)', 282],
  ['In-12, pièces limin., 259 p., table', 259],
  ['XII-755 p.-[1] dépl. : cartes ; 24 cm', 755],
  ['1 vol. (302 p.-[16] f. de pl.) ; 33 cm', 302],
  ['1 vol. (302 p.-[10-12] f. de pl.) ; 33 cm', 302],
  ['2 vol. (518, 477 p.) ; 24 cm', 995],
  ['3 vol. (XII-312, 298, 10 pages)', 620],
  ['3 vol. (312, 298 p.) ; 24 cm', 298],
  ['1 vol. (48, 298 p.) ; 24 cm', 298],
  ['2 vol. (312 p., 298 p.) ; 24 cm', 312],
  ['80p.', 80],
  ['120 pages', 120],
  ['1 page', 1],
  ['1 vol. (210\u00a0p.)', 210],
  ['1 vol. (302 p.) + 1 CD (12 p.)', 302],
  ['1 vol. (20 p.) + 1 livret (48 p.)', 20],
  ['1 disque compact (59 min 54 s) + 1 brochure (36 p.)', null],
  ['1 vol. ; 30 cm', null],
  ['30 cm', null],
  ['1 vol.', null],
  ['156 f. ; in-8', null],
  ['vol. ; 24 cm', null],
  ['1 vol. (Non paginé) : ill. ; 23 x 23 cm', null],
  ['1 vol. (non paginé [ca 190] p.)', null],
  ['55-IX p.', null],
  ['(p. 45-90)', null],
  ['(p. 45–90) ; 24 cm', null],
  ['(45-90 p.)', null],
  ['[45 - 90 p.]', null],
  ['1 article (p. 45-90) ; 24 cm', null],
  ['12 pl.', null],
  ['16 pagodes', null],
  ['0 p.', null],
  ['000 p.', null],
  ['99999999999999999999 p.', null],
  ['1,5 p.', null],
  ['In-12', null],
  ['', null],
])('« %s » is %s', (description, pages) => {
  expect(parseNombrePages(description)).toBe(pages);
});

test('brackets without end are read in no time', () => {
  expect(parseNombrePages('('.repeat(200_000) + ')'.repeat(200_000))).toBeNull();
});
