import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { isRoute, routes } from '../../src/service-worker/routes.ts';

/** The paths of the application's screens: a folder in brackets is a parameter, in parentheses none. */
const screens = globSync('src/routes/**/+page.svelte').map((file) => {
  const parts = dirname(file).replaceAll('\\', '/').split('/').slice(2);
  return `/${parts.filter((part) => !part.startsWith('(')).join('/')}`;
});

test('the service worker answers every screen, and nothing else', () => {
  expect([...routes].sort()).toEqual([...screens].sort());
});

test.each(['/', '/livres/12', '/livres/12/modifier', '/revues/3/numeros/4', '/souhaits/'])(
  '%s is a screen',
  (path) => expect(isRoute(path)).toBe(true),
);

test.each(['/login', '/oauth2/start', '/livres', '/livres/1/2', '/api/moi', '/shell.html', ''])(
  '« %s » is the network’s',
  (path) => expect(isRoute(path)).toBe(false),
);
