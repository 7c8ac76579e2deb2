import { expect, test } from 'vitest';
import { isbnAsWritten, otherCodeOf, parseIsbn } from '#shared/isbn';
import { diagnoseIsbn } from '#shared/isbn-help';
import { openHouse } from '../support/house.ts';

const ISBN = '9782070360024';

const WRITTEN = [
  'ISBN 978-2-07-036002-4',
  'ISBN : 978-2-07-036002-4 (broché)',
  'ISBN-13: 9782070360024',
  'isbn 2-07-036002-4',
  '978.2.07.036002.4',
  '2-07-036002-4 (br.)',
  '978207036002451299',
  ']E09782070360024',
  '09782070360024',
  '(01)09782070360024',
  'https://exemple.fr/01/09782070360024?x=1',
];

test.each(WRITTEN)('« %s » is read as an ISBN', (text) => {
  expect(isbnAsWritten(text)).toBe(ISBN);
  expect(diagnoseIsbn(text)).toEqual({ kind: 'valid', isbn: ISBN });
});

test.each(['ISBN 978-2-07-036002-5', 'ISBN', '', '978.2', '19782070360024'])(
  '« %s » is no ISBN',
  (text) => {
    expect(isbnAsWritten(text)).toBeNull();
  },
);

test.each([
  ['9790014029029', 'musique'],
  ['036000291452', 'produit'],
  ['3780000000008', 'magazine'],
  ['03600029145251299', 'produit'],
  ['036000291452 51299', 'produit'],
  ['378000000000812', 'magazine'],
  // The prefixes of books and magazines, but not at the beginning.
  ['197900029146', 'produit'],
  ['3003789000145', null],
  [ISBN, null],
  ['036000291453', null],
  ['978207036002', null],
] as const)('the code %s is of: %s', (code, sorte) => {
  expect(otherCodeOf(code)).toBe(sorte);
});

test('a book is entered by a code as written', async () => {
  const house = await openHouse();
  const livre = { titre: 'A', format: 'Physique', isbn: 'ISBN : 978-2-07-036002-4 (br.)' };
  expect(await house.ask('ana', 'POST', '/api/livres', livre)).toMatchObject({
    status: 201,
    body: { isbn: ISBN },
  });
  const partition = { ...livre, isbn: '979-0-014-02902-9' };
  expect(await house.ask('ana', 'POST', '/api/livres', partition)).toMatchObject({
    status: 400,
    body: { code: 'ISBN_INVALIDE', message: expect.stringContaining('partition') as string },
  });
});

test.each([
  ['the row of a French keyboard', 'çè_éàèà"-ààé\'', ISBN],
  ['that of a French Mac', 'çè!éàèà"§ààé\'', ISBN],
  ['that of an American keyboard', '(&*@)&)#^))@$', ISBN],
  ['that of a British keyboard', '(&*")&)£^))"$', ISBN],
  ['ten digits of a French one', 'éàèà"-ààé\'', ISBN],
  ['a French one, with X', 'éàèà"-_ééx', parseIsbn('207036822X')],
  ['a wrong digit', 'çè_éàèà"-ààé"', null],
  ['letters among it', 'çè_éàèà"-ààé\'a', null],
])('a code in %s is read', (_, text, isbn) => {
  expect(isbnAsWritten(text)).toBe(isbn);
});
