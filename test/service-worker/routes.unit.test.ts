import { expect, test } from 'vitest';
import { isRoute } from '../../src/service-worker/routes.ts';

const screens = [
  '/',
  '/livres/ajouter',
  '/livres/[id]',
  '/livres/[id]/modifier',
  '/revues/[id]/numeros/[numero]',
  '/souhaits',
];

test.each(['/', '/livres/12', '/livres/12/modifier', '/revues/3/numeros/4', '/souhaits/'])(
  '%s is a screen',
  (path) => expect(isRoute(path, screens)).toBe(true),
);

test.each(['/login', '/oauth2/start', '/livres', '/livres/1/2', '/api/moi', '/shell.html', ''])(
  '« %s » is the network’s',
  (path) => expect(isRoute(path, screens)).toBe(false),
);
