import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { givenByPage } from '../../src/lib/recherche/code.ts';

interface Manifest {
  readonly display: string;
  readonly icons: readonly { readonly src: string }[];
  readonly shortcuts: readonly { readonly name: string; readonly url: string }[];
  readonly share_target: {
    readonly action: string;
    readonly method: string;
    readonly params: Readonly<Record<string, string>>;
  };
}

const manifest = JSON.parse(readFileSync('static/manifest.webmanifest', 'utf8')) as Manifest;

test('an installed application has a window of its own, and icons', () => {
  expect(manifest.display).toBe('standalone');
  const missing = manifest.icons.filter(({ src }) => !existsSync(`static/${src}`));
  expect([manifest.icons.length > 0, missing]).toEqual([true, []]);
});

test('its icon offers to scan a book, or to check one in a bookshop', () => {
  expect(manifest.shortcuts).toMatchObject([
    { name: 'manifest_scan', url: 'livres/ajouter?scanner' },
    { name: 'manifest_verify', url: 'livres/ajouter?scanner=verifier' },
    {},
    {},
  ]);
});

test('a page that is shared comes to the form of a new book, by names that it reads', () => {
  const { action, method, params } = manifest.share_target;
  expect([action, method]).toEqual(['livres/ajouter', 'GET']);
  const shared = { title: 'L’Étranger', text: 'ISBN 978-2-07-036002-4', url: '' };
  const sent = Object.entries(shared).map(([part, text]) => [params[part] ?? part, text]);
  expect(givenByPage(new URLSearchParams(sent))?.get('isbn')).toBe('9782070360024');
});
