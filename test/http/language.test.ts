import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtClient, ENGLISH_SHELL, SHELL } from '../support/client.ts';
import { openHouse, type House } from '../support/house.ts';
import { send as sendTo, serve } from '../support/server.ts';

const LENT = 'POST /api/livres/1/prets';

async function send(
  house: House,
  request: string,
  headers: Record<string, string>,
  body?: object,
): Promise<{ resume: string | null; vary: string; body: unknown }> {
  const [method = '', path = ''] = request.split(' ');
  const response = await fetch(house.url + path, {
    method,
    headers: {
      ...house.headersOf('ana'),
      ...(body && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const resume = response.headers.get('X-Modification-Resume');
  const text = await response.text();
  return {
    resume: resume && decodeURIComponent(resume),
    vary: response.headers.get('Vary') ?? '',
    body: text === '' ? null : JSON.parse(text),
  };
}

test('two readers see one modification, each in their own language', async () => {
  const house = await openHouse();
  await house.ask('ana', 'POST', '/api/livres', { titre: 'Dune', auteurs: [], format: 'Physique' });
  const key = { 'Idempotency-Key': 'k' };
  const french = { ...key, 'Accept-Language': 'fr' };
  const lent = await send(house, LENT, french, { emprunteur: 'Luc' });
  expect(lent.resume).toBe('Prêté à Luc : Dune');
  // The language is not part of the repeated request's fingerprint.
  for (const [request, headers] of [
    [`${LENT}?langue=en`, key],
    [LENT, { ...key, 'Accept-Language': 'en-GB,en;q=0.9' }],
  ] as const)
    expect((await send(house, request, headers, { emprunteur: 'Luc' })).resume).toBe(
      'Lent to Luc: Dune',
    );

  const english = { 'Accept-Language': 'en' };
  const list = await send(house, 'GET /api/modifications', english);
  expect(list.body).toMatchObject([
    { resume: 'Lent to Luc: Dune' },
    { resume: 'Book added: Dune' },
  ]);
  expect(list.vary).toMatch(/accept-language/i);
  const one = await send(house, 'GET /api/modifications/2', english);
  expect(one.body).toMatchObject({
    resume: 'Lent to Luc: Dune',
    arguments: { fait: 'livrePrete' },
  });

  const barred = await send(house, 'POST /api/modifications/1/annulation?langue=en', {});
  expect(barred.body).toMatchObject({
    code: 'ANNULATION_IMPOSSIBLE',
    acte: 'This addition can no longer be undone',
    obstacles: [{ id: 2, resume: 'Lent to Luc: Dune' }],
  });
  const undone = await send(
    house,
    'POST /api/modifications/1/annulation?avec=obstacles&langue=en',
    {},
  );
  expect(undone.body).toMatchObject({
    resume: 'Addition of “Dune” undone, with one other change.',
  });
});

test('without a wish an answer is in the language of the household', async () => {
  const house = await openHouse(undefined, { LANGUAGE: 'en' });
  const book = { titre: 'Dune', auteurs: [], format: 'Physique' };
  expect((await send(house, 'POST /api/livres', {}, book)).resume).toBe('Book added: Dune');
  const french = { 'Accept-Language': 'fr' };
  expect((await send(house, 'DELETE /api/livres/1', french)).resume).toBe('Livre supprimé : Dune');
});

test('an invalid field is reported in the sender’s language', async () => {
  const house = await openHouse();
  const book = { titre: '', auteurs: 'Herbert', format: 'Physique' };
  for (const [language, titre, auteurs] of [
    ['fr', 'ne doit pas être vide', 'doit être une liste'],
    ['en', 'must not be empty', 'must be a list'],
  ]) {
    const { body } = await send(house, `POST /api/livres?langue=${language}`, {}, book);
    expect(body).toMatchObject({
      champs: expect.arrayContaining([
        { champ: 'titre', code: 'VIDE', message: titre },
        { champ: 'auteurs', code: 'TYPE', arguments: { types: ['array'] }, message: auteurs },
      ]) as unknown,
    });
  }
  const inEnglish = { 'Accept-Language': 'en' };
  const given = { titre: 'Dune', auteurs: [], format: 'Physique' };
  await send(house, 'POST /api/livres', inEnglish, given);
  const again = { ids: [1], action: 'preter', emprunteur: 'Luc', datePret: 'hier' };
  const { body } = await send(house, 'POST /api/livres/lot', inEnglish, again);
  expect(body).toMatchObject({
    message: expect.stringMatching(/^The request is not in the expected form/) as unknown,
  });
});

test('a language that is not known here is refused where an address names it', async () => {
  const house = await openHouse();
  const { body } = await send(house, 'GET /api/livres?langue=de', {});
  expect(body).toMatchObject({ code: 'REQUETE_INVALIDE', champs: [{ champ: 'langue' }] });
});

test('the page and the web manifest are in the visitor’s language', async () => {
  const { url } = await serve({}, builtClient());
  const ask = async (path: string, ...headers: string[]) => {
    const answer = await sendTo(url + path, { headers });
    return { ...answer, language: answer.headers['content-language'] };
  };
  for (const [language, shell, shortcut, headers] of [
    ['fr', SHELL, 'Scanner un livre', []],
    ['fr', SHELL, 'Scanner un livre', ['Accept-Language', 'de']],
    ['en', ENGLISH_SHELL, 'Scan a book', ['Accept-Language', 'en-GB,fr;q=0.8']],
    // The language chosen on the device has priority over the browser's.
    ['en', ENGLISH_SHELL, 'Scan a book', ['Accept-Language', 'fr', 'Cookie', 'a=b; langue=en']],
  ] as const) {
    const page = await ask('/livres', ...headers);
    expect([page.text, page.language], String(headers)).toEqual([shell, language]);
    expect(page.headers['vary']).toMatch(/accept-language, cookie/i);
    expect(page.headers['content-security-policy']).toContain(
      language === 'fr' ? 'sha256-abc=' : 'sha256-def=',
    );
    const manifest = await ask('/manifest.webmanifest', ...headers);
    expect(manifest.json()).toMatchObject({ lang: language, shortcuts: [{ name: shortcut }] });
  }
  // The page in a language has no own address: a single service worker caches them all.
  expect((await ask('/shell.en.html')).text).toBe(SHELL);
  expect((await ask('/shell.html?langue=en')).text).toBe(ENGLISH_SHELL);
  const [inEnglish, worker] = [['Accept-Language', 'en'], await ask('/service-worker.js')];
  expect((await ask('/service-worker.js', ...inEnglish)).text).toBe(worker.text);
});

test('a reader’s language is the same on every device', async () => {
  const house = await openHouse();
  const ask = (...request: Parameters<House['ask']>) => house.ask(...request);
  expect((await ask('ana', 'GET', '/api/moi')).body).not.toHaveProperty('langue');
  expect((await ask('ana', 'PUT', '/api/moi/langue', { langue: 'en' })).status).toBe(204);
  expect((await ask('ana', 'GET', '/api/moi')).body).toMatchObject({ langue: 'en' });
  expect((await ask('luc', 'GET', '/api/moi')).body).not.toHaveProperty('langue');
  expect((await ask('ana', 'PUT', '/api/moi/langue', { langue: 'fr' })).status).toBe(204);
  expect((await ask('ana', 'GET', '/api/moi')).body).toMatchObject({ langue: 'fr' });
  // A reader's language is private, and no modification.
  expect((await ask('ana', 'GET', '/api/modifications')).body).toEqual([]);
  expect((await ask('ana', 'PUT', '/api/moi/langue', { langue: 'de' })).status).toBe(400);
  expect((await ask(null, 'PUT', '/api/moi/langue', { langue: 'fr' })).status).toBe(401);
});

test('a reader known from the request gets the page in their own language at once', async () => {
  const { url } = await serve({}, builtClient());
  const ask = (path: string, ...headers: string[]) => sendTo(url + path, { headers });
  const named = ['SSO_USER', 'ana'];
  const json = ['Content-Type', 'application/json', ...named];
  const put = { method: 'PUT', headers: json, body: '{"langue":"en"}' };
  expect((await sendTo(`${url}/api/moi/langue`, put)).status).toBe(204);
  // The reader's choice has priority over the browser's language and the device's.
  for (const others of [[], ['Accept-Language', 'fr'], ['Cookie', 'langue=fr']]) {
    const page = await ask('/livres', ...named, ...others);
    expect([page.text, page.headers['content-language']]).toEqual([ENGLISH_SHELL, 'en']);
    const manifest = await ask('/manifest.webmanifest', ...named, ...others);
    expect(manifest.json()).toMatchObject({ lang: 'en' });
  }
  expect((await ask('/livres?langue=fr', ...named)).text).toBe(SHELL);
  expect((await ask('/livres', 'SSO_USER', 'luc')).text).toBe(SHELL);
  expect((await ask('/livres')).text).toBe(SHELL);
});

test('a language that is still being built is announced, and served as soon as it is there', async () => {
  const folder = builtClient();
  const page = join(folder, 'shell.en.html');
  rmSync(page);
  const { url } = await serve({}, folder);
  const ask = (path: string, language: string) =>
    sendTo(url + path, { headers: ['Accept-Language', language] });
  const early = await ask('/livres', 'en');
  expect([early.status, early.headers['content-language']]).toEqual([200, 'en']);
  expect(early.text).toContain('isn’t ready yet');
  expect(early.text).toContain('http-equiv="refresh"');
  expect(early.text).toContain('href="?langue=fr"');
  // The placeholder must not be cached.
  expect(early.headers['cache-control']).toBe('no-cache');
  expect((await ask('/livres?langue=fr', 'en')).text).toBe(SHELL);
  expect((await ask('/livres', 'fr')).text).toBe(SHELL);
  const file = '_app/immutable/english.[hash].js';
  const list = 'files.en.json';
  expect((await ask(`/${file}`, 'en')).status).toBe(404);
  expect((await ask(`/${list}`, 'en')).status).toBe(404);
  writeFileSync(join(folder, file), 'export {};');
  writeFileSync(join(folder, list), '{}');
  writeFileSync(page, ENGLISH_SHELL);
  expect((await ask('/livres', 'en')).text).toBe(ENGLISH_SHELL);
  expect((await ask(`/${file}`, 'en')).text).toBe('export {};');
  expect((await ask(`/${list}`, 'en')).text).toBe('{}');
});
