import { expect, test } from 'vitest';
import { cleanBody, readQuery } from '#server/plumbing/http/request';
import { Refusal } from '#shared/refusals';

/** The field errors of a refused request. */
function refused(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    if (error instanceof Refusal && error.code === 'REQUETE_INVALIDE') return error.details;
    throw error;
  }
  return 'accepted';
}
const champ = (name: string) => ({
  champs: [{ champ: name, code: expect.stringMatching(/^[A-Z_]+$/) as string }],
});

test('texts are trimmed and NFC, at any depth', () => {
  const body = { titre: '\u00a0 e\u0301 \n', list: [' a ', { nom: ' b ' }], n: 12, empty: '   ' };
  expect(cleanBody(body)).toEqual({ titre: 'é', list: ['a', { nom: 'b' }], n: 12, empty: '' });
});

test('line breaks become a blank except in long texts', () => {
  const text = 'a \r\n\t b\u0085c\u2028d\u0007e\u00a0 f';
  expect(cleanBody({ titre: text, list: [text], resume: 'a\n\nb\n' })).toEqual({
    titre: 'a b c d e\u00a0 f',
    list: ['a b c d e\u00a0 f'],
    resume: 'a\n\nb',
  });
});

test.each([
  [{ titre: 'a\0' }, 'titre'],
  [{ auteurs: ['a', 'b\0'] }, 'auteurs.1'],
  [{ auteurs: [{ nom: '\ud800' }] }, 'auteurs.0.nom'],
  [{ titre: 'a\udc00b' }, 'titre'],
  [{ 'a\0': 1 }, 'corps'],
])('a NUL or a lone surrogate is refused in %j', (body, name) => {
  expect(refused(() => cleanBody(body))).toEqual(champ(name));
});

test.each([[undefined], [null], ['x'], [1], [[]], [[{}]], [true]])('%j is no payload', (body) => {
  expect(refused(() => cleanBody(body))).toEqual(champ('corps'));
});

test('no depth of a body overflows the stack', () => {
  const depth = 400_000;
  const deep: unknown = JSON.parse(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`);
  expect(refused(() => cleanBody(deep))).toEqual(champ('corps'));
});

test('a body of endless values is refused', () => {
  expect(refused(() => cleanBody({ a: Array(30_000).fill(0) }))).toEqual(champ('corps'));
});

test.each([
  ['/x', {}],
  ['/x?', {}],
  ['/x?a=1&b=2', { a: '1', b: '2' }],
  ['/x?a=&b=%20&c', {}],
  ['/x?a=l%27%C3%A9t%C3%A9+bleu', { a: "l'été bleu" }],
  ['/x?a=e%CC%81', { a: 'é' }],
  ['/x?a=Ã©', { a: 'é' }],
  ['/x?a=b=c', { a: 'b=c' }],
  ['/x?a%62=1', { ab: '1' }],
  ['/x?__proto__=1', {}],
])('%s', (url, query) => {
  expect(readQuery(url)).toEqual(query);
});

test.each([
  ['/x?a=1&a=2', 'a'],
  ['/x?a=&a=', 'a'],
  ['/x?a=1&%61=2', 'a'],
  ['/x?a=%', 'a'],
  ['/x?a=%FF', 'a'],
  ['/x?a=%ED%A0%80', 'a'],
  ['/x?a=\xe9', 'a'],
  ['/x?a=b%00', 'a'],
  ['/x?%FF=1', 'adresse'],
])('%s is refused', (url, name) => {
  expect(refused(() => readQuery(url))).toEqual(champ(name));
});
