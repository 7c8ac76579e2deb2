import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Montre } from '#shared/partages';
import { openHome } from '../identity/support.ts';
import { builtClient } from '../support/client.ts';
import { openHouse, type House } from '../support/house.ts';
import { serve } from '../support/server.ts';

interface Lien {
  readonly secret: string;
  readonly adresse: string;
}

const makeLink = async (house: House, who: string): Promise<Lien> =>
  (await house.ask(who, 'POST', '/api/moi/liste')).body as Lien;

/** A reader with two wishes, shared with the household and by a link. */
async function household(settings: Readonly<Record<string, string>> = {}) {
  const house = await openHouse(undefined, settings);
  await house.ask('ines', 'POST', '/api/souhaits', {
    titre: 'Sido & « lui »',
    auteur: '<b>Colette',
  });
  await house.ask('ines', 'POST', '/api/souhaits', { titre: 'Regain' });
  await house.ask('ines', 'PUT', '/api/moi/partage', { lectures: false, souhaits: true });
  return { house, ...(await makeLink(house, 'ines')) };
}

const visit = async (url: string, init: RequestInit = {}) => {
  const response = await fetch(url, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
};

const press = (url: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  visit(url, { method: 'POST', body: new URLSearchParams(fields), headers });

async function offertsFor(house: House, who: string) {
  const [ines] = (await house.ask(who, 'GET', '/api/maison')).body as Montre[];
  return ines?.souhaits?.map(({ offert }) => offert);
}

test('a link is a secret of 192 bits, shown once, of which a hash is kept', async () => {
  const { house, secret, adresse } = await household();
  expect(secret).toMatch(/^[\w-]{32}$/);
  expect(adresse).toBe(`/liste/${secret}`);
  const { body } = await house.ask('ines', 'GET', '/api/moi/partage');
  expect(body).toMatchObject({ lien: expect.stringMatching(/Z$/) as string });
  expect(JSON.stringify(body)).not.toContain(secret);
  const rows = JSON.stringify(house.context.database.all('SELECT * FROM Liste'));
  expect(rows).not.toContain(secret);
  expect((await house.ask(null, 'POST', '/api/moi/liste')).status).toBe(401);
});

test('the page of the link shows the list, without a script or another request', async () => {
  const { house, adresse } = await household();
  const { status, headers, text } = await visit(house.url + adresse);
  expect(status).toBe(200);
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'private, no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': expect.stringContaining('noindex') as string,
    'x-content-type-options': 'nosniff',
  });
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(
    /^default-src 'none'; img-src data:; font-src 'self'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
  );
  expect(text).toContain('<h1>Souhaits d’ines</h1>');
  expect(text).toContain('Sido &amp; «\u00a0lui\u00a0»'.replace(/\u00a0/g, ' '));
  expect(text).toContain('&lt;b&gt;Colette');
  expect(text).not.toMatch(/<script|<link|https?:|src="(?!data:)| on\w+=/i);
});

test('the public list is in its visitor’s language, and offers the other', async () => {
  const { house, adresse } = await household();
  const url = house.url + adresse;
  const english = { headers: { 'Accept-Language': 'en-GB,fr;q=0.5' } };
  for (const page of [await visit(url, english), await visit(`${url}?langue=en`)]) {
    expect(page.text).toContain('<html lang="en">');
    expect(page.text).toContain('<h1>ines’s wish list</h1>');
    expect(page.text).toContain('Your first name');
    expect(page.text).toContain('href="?langue=fr"');
    expect(page.headers.get('content-language')).toBe('en');
    expect(page.headers.get('vary')).toMatch(/accept-language/i);
    expect(page.text).not.toMatch(/Je l’offre|Votre prénom/);
  }
  const french = await visit(url, { headers: { 'Accept-Language': 'de' } });
  expect(french.text).toContain('<html lang="fr">');
  expect(french.text).toContain('href="?langue=en"');
  const response = await press(`${url}?langue=en`, { nom: 'Granny', souhait: '1' });
  expect(response.text).toContain('You’re giving “Sido &amp; « lui »”.');
  expect((await press(`${url}?langue=en`, { nom: '', souhait: '1' })).text).toContain(
    'Enter a first name',
  );
  expect((await visit(`${house.url}/liste/${'a'.repeat(32)}`, english)).text).toContain(
    'This list isn’t shared, or no longer is.',
  );
  for (const id of [1, 2]) await house.ask('ines', 'DELETE', `/api/souhaits/${id}`);
  expect((await visit(url, english)).text).toContain('Nothing on the list right now.');
});

test('the page uses the application’s font, from this service', async () => {
  const folder = builtClient();
  const assets = join(folder, '_app/immutable/assets');
  mkdirSync(assets, { recursive: true });
  writeFileSync(join(assets, 'literata-latin-opsz-normal.BHZ.woff2'), '');
  const { url } = await serve({}, folder);
  const { text, headers } = await visit(`${url}/liste/${'a'.repeat(32)}`);
  const [face = ''] = /@font-face \{[^}]+\}/.exec(text) ?? [];
  const [, file = ''] = /url\('([^']+)'\)/.exec(face) ?? [];
  expect(file).toBe('/_app/immutable/assets/literata-latin-opsz-normal.BHZ.woff2');
  expect((await fetch(new URL(file, url))).status).toBe(200);
  const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(text) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  expect(headers.get('content-security-policy')).toContain(`style-src 'sha256-${hash}'`);
});

test('another address is not found, nor is a revoked or replaced one', async () => {
  const { house, adresse } = await household();
  const wrong = [`/liste/${'a'.repeat(32)}`, '/liste/x', `${adresse}x`];
  for (const path of wrong) {
    const { status, text } = await visit(house.url + path);
    expect(status, path).toBe(404);
    expect(text, path).not.toMatch(/ines|Regain/);
  }
  const again = await makeLink(house, 'ines');
  expect((await visit(house.url + adresse)).status).toBe(404);
  expect((await visit(house.url + again.adresse)).status).toBe(200);
  expect((await house.ask('bob', 'DELETE', '/api/moi/liste')).status).toBe(204);
  expect((await visit(house.url + again.adresse)).status).toBe(200);
  expect((await house.ask('ines', 'DELETE', '/api/moi/liste')).status).toBe(204);
  expect((await visit(house.url + again.adresse)).status).toBe(404);
  expect((await press(house.url + again.adresse, { nom: 'Mamie', souhait: '1' })).status).toBe(404);
});

test('a visitor gives by a name alone; the household sees the gift, the owner never does', async () => {
  const { house, adresse } = await household();
  const url = house.url + adresse;
  const before = await visit(url);
  const response = await press(url, { nom: '  Mamie\nLise ', souhait: '1' });
  expect(response.status).toBe(200);
  expect(response.text).toContain('C’est noté');
  expect(await offertsFor(house, 'bob')).toEqual([{ moi: false, noms: ['Mamie Lise'] }, null]);
  expect(await offertsFor(house, 'ines')).toEqual([null, null]);
  // Two visitors with one name count as one, and the page names neither.
  await press(url, { nom: 'mamie lise', souhait: '1' });
  expect(await offertsFor(house, 'bob')).toEqual([{ moi: false, noms: ['Mamie Lise'] }, null]);
  expect((await visit(url)).text).toBe(before.text);
  // A member cannot give the visitor's gift, either.
  expect((await house.ask('bob', 'PUT', '/api/souhaits/1/offre')).body).toMatchObject({
    code: 'DEJA_OFFERT',
    nom: 'Mamie Lise',
  });
  const undone = await press(url, { nom: 'Mamie Lise', souhait: '1', retirer: 'oui' });
  expect(undone.text).toContain('Vous n’offrez plus');
  expect(await offertsFor(house, 'bob')).toEqual([null, null]);
});

test('the list shows only its owner’s name and wishes', async () => {
  const { house, adresse } = await household();
  const url = house.url + adresse;
  await house.ask('bob', 'POST', '/api/souhaits', { titre: 'Secret' });
  await house.ask('bob', 'PUT', '/api/souhaits/1/offre');
  await makeLink(house, 'bob');
  await press(url, { nom: 'Mamie', souhait: '2' });
  const answers = [
    await visit(url),
    await press(url, { nom: 'Papi', souhait: '1' }),
    await press(url, { nom: '', souhait: '1' }),
  ];
  for (const { text } of answers) {
    expect(text).toMatch(/ines/);
    expect(text).not.toMatch(/bob|Secret|Mamie/i);
  }
});

test('no response of the page reveals reserved gifts', async () => {
  const { house, adresse } = await household();
  const url = house.url + adresse;
  const asAsked = async () => {
    const answers = [
      await visit(url),
      await press(url, { nom: 'Ines', souhait: '1' }),
      await press(url, { nom: 'Ines', souhait: '1', retirer: 'oui' }),
    ];
    return answers.map(({ status, text }) => ({ status, text }));
  };
  const before = await asAsked();
  await house.ask('bob', 'PUT', '/api/souhaits/1/offre');
  for (let i = 0; i < 8; i++) await press(url, { nom: `Visite ${String(i)}`, souhait: '1' });
  expect(await asAsked()).toEqual(before);
});

test('an offer without a name, without a wish of the list, or from another site is refused', async () => {
  const { house, adresse } = await household();
  await house.ask('bob', 'POST', '/api/souhaits', { titre: 'Secret' });
  const url = house.url + adresse;
  const refused: [Record<string, string>, number][] = [
    [{ nom: '', souhait: '1' }, 400],
    [{ nom: ' ! ', souhait: '1' }, 400],
    [{ nom: '😀'.repeat(61), souhait: '1' }, 400],
    [{ nom: 'Mamie' }, 400],
    [{ nom: 'Mamie', souhait: '3' }, 400],
    [{ nom: 'Mamie', souhait: '1 OR 1' }, 400],
    [{ nom: 'x'.repeat(5000), souhait: '1' }, 413],
  ];
  for (const [fields, status] of refused) {
    const answer = await press(url, fields);
    expect(answer.status, JSON.stringify(fields).slice(0, 40)).toBe(status);
    expect(answer.text).not.toMatch(/Secret/);
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
  }
  expect(
    (await press(url, { nom: 'Mamie', souhait: '1' }, { 'Sec-Fetch-Site': 'cross-site' })).status,
  ).toBe(403);
  const json = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' };
  expect((await visit(url, json)).status).toBe(400);
  expect(await offertsFor(house, 'bob')).toEqual([null, null]);
  // A page without a referrer has no origin. A character may be two UTF-16 units.
  const nom = '😀'.repeat(59) + 'x';
  expect((await press(url, { nom, souhait: '1' }, { Origin: 'null' })).status).toBe(200);
  expect(await offertsFor(house, 'bob')).toEqual([{ moi: false, noms: [nom] }, null]);
});

test('a visitor who guesses links, or presses endlessly, has to wait', async () => {
  const { house, adresse } = await household();
  const statuses: number[] = [];
  for (let i = 0; i < 22; i++)
    statuses.push(
      (await press(house.url + adresse, { nom: `N${String(i)}`, souhait: '1' })).status,
    );
  expect(statuses.filter((status) => status === 429).length).toBe(2);
  const asked: number[] = [];
  for (let i = 0; i < 62; i++) asked.push((await visit(`${house.url}/liste/x${String(i)}`)).status);
  expect(asked.at(-1)).toBe(429);
});

test('the public list is below the base of the application', async () => {
  const { house, adresse } = await household({ BASE_PATH: '/bib' });
  expect(house.url).toMatch(/\/bib$/);
  expect((await visit(house.url + adresse)).status).toBe(200);
});

test('with accounts it is open without a session, and ends with its owner’s entry', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const luc = await home.member('Luc');
  await luc.ask('POST', '/api/souhaits', { titre: 'Regain' });
  const { adresse } = (await luc.ask('POST', '/api/moi/liste')).body as Lien;
  const stranger = home.device();
  expect((await stranger.ask('GET', adresse)).status).toBe(200);
  expect((await stranger.ask('GET', '/api/souhaits')).status).toBe(401);
  await claire.ask('PUT', '/api/membres/2', { nom: 'Luc', gere: false, exclu: true });
  expect((await stranger.ask('GET', adresse)).status).toBe(404);
});
