import { expect, test, vi } from 'vitest';
import { isbnOf, NoImage, Relay } from '#server/subjects/couvertures/sources';
import { pngOf } from './images.ts';
import { envelope, recordXml } from '../../demo/upstream/sru.ts';
import { eventually } from '../support/eventually.ts';
import { openHouse } from '../support/house.ts';
import { gives, isbnPath, openSource, type Source } from './support/source.ts';

const [ISBN, OTHER] = ['9782070360024', '9782070408504'];
const { signal } = new AbortController();
const asker = { owner: 'ana', signal };

/** Pictures that differ by length only; nothing decodes them here. */
const [COVER, MORE, PLACEHOLDER] = [pngOf(100), pngOf(200), pngOf(300)];
const png = (content: Buffer) => gives(content, 'image/png');
const coverPath = (ark: string) => `/couverture?appName=NE&idArk=${ark}&couverture=1`;
const UNKNOWN = coverPath('ark:/12148/cb000000000');

/** The sources of a household, all at one simulated server. */
async function open() {
  const source = await openSource();
  const house = await openHouse(undefined, {
    OPEN_LIBRARY_COVERS_URL: `${source.url}/`,
    BNF_SRU_URL: `${source.url}/api/SRU`,
  });
  return { source, sources: house.context.covers.sources };
}

/** The length of a picture, or the negative status of a response without one. */
const outcome = (asked: Promise<{ readonly content: Buffer }>): Promise<number> =>
  asked.then(
    ({ content }) => content.length,
    (error: unknown) => (error instanceof NoImage ? -error.status : NaN),
  );

test.each([
  [`isbn:${ISBN}`, ISBN],
  [`https://covers.example/b/isbn/${ISBN}-L.jpg`, ISBN],
  [`https://covers.example/b/isbn/${ISBN}-L.jpg?default=false`, ISBN],
  [`https://covers.example/b/isbn/${ISBN}-L.jpg.html`, null],
  ['https://covers.example/b/isbn/2070360024-L.jpg', null],
  [`https://covers.example/b/id/${ISBN}-L.jpg`, null],
])('the address %s is about the ISBN %s', (adresse, isbn) => {
  expect(isbnOf(adresse)).toBe(isbn);
});

test('a picture by ISBN comes from the configured site', async () => {
  const { source, sources } = await open();
  const composed = `${source.url}${isbnPath(ISBN)}?default=false`;
  source.behave(`${isbnPath(ISBN)}?default=false`, png(COVER));
  expect(sources.adressesOf(composed)).toEqual([composed, `isbn:${ISBN}`]);
  const others = [
    composed.replace('?default=false', ''),
    `https://a.test${isbnPath(ISBN)}`,
    'https://a.test/1.jpg',
  ];
  for (const url of others) expect(sources.adressesOf(url)).toEqual([url]);
  expect(await outcome(sources.first(`isbn:${ISBN}`, signal))).toBe(100);
  expect(await outcome(sources.first(composed, signal))).toBe(100);
  expect(await outcome(sources.forScreen(composed, asker))).toBe(100);
  expect(await outcome(sources.first(`isbn:${OTHER}`, signal))).toBe(-404);
  source.behave('/b/id/7-L.jpg?default=false', png(MORE));
  expect(await outcome(sources.byNumber(7, signal))).toBe(200);
  const asked = source.asked.length;
  // Other addresses at the same host were entered by a person.
  for (const url of [`${source.url}/b/id/7-L.jpg`, `${source.url}${isbnPath(ISBN)}`])
    expect(await outcome(sources.first(url, signal))).toBe(-0);
  expect(source.asked).toHaveLength(asked);
});

/** Makes the national library return these records for a query that contains the code. */
function hasRecords(source: Source, records: readonly string[], code = ''): void {
  source.behave('/api/SRU', (response) => {
    const found = response.req.url?.includes(code) ? records : [];
    gives(Buffer.from(envelope([...found])), 'application/xml')(response);
  });
}
const record = (ark: string): string =>
  recordXml({ ark, titre: 'Phare', numeros: [`ISBN ${OTHER}`] });

// The ISBN-10 has another check digit, so it is no part of the ISBN-13.
test.each([OTHER, '2070408507'])('the national library knows a book by %s', async (code) => {
  const { source, sources } = await open();
  hasRecords(source, [record('cb900000001'), record('cb900000002')], code);
  source.behave(coverPath('ark:/12148/cb900000001'), png(COVER));
  expect(await outcome(sources.second(OTHER, asker))).toBe(100);
});

test('a book unknown to the national library has no cover', async () => {
  const { source, sources } = await open();
  hasRecords(source, []);
  expect(await outcome(sources.second(ISBN, asker))).toBe(-404);
});

test('the placeholder is asked for once a day', async () => {
  const { source, sources } = await open();
  source.behave(UNKNOWN, png(PLACEHOLDER));
  const ark = async (name: string, content: Buffer) => {
    source.behave(coverPath(name), png(content));
    return outcome(sources.byArk(name, signal));
  };
  expect(await ark('a', COVER)).toBe(100);
  expect(await ark('b', PLACEHOLDER)).toBe(-404);
  expect(source.asked).toHaveLength(3);
  // From now on the library returns another picture.
  source.behave(UNKNOWN, png(MORE));
  expect(await ark('c', MORE)).toBe(200);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * 3_600_000 });
  expect(await ark('d', MORE)).toBe(-404);
  expect(source.asked).toHaveLength(6);
});

test.each([
  [404, 100],
  [200, 100],
  [500, -500],
])('a store whose placeholder answers %i gives %i', async (status, expected) => {
  const { source, sources } = await open();
  source.behave(UNKNOWN, (response) => void response.writeHead(status).end());
  source.behave(coverPath('a'), png(COVER));
  expect(await outcome(sources.byArk('a', signal))).toBe(expected);
});

test('an image is one by type, up to ten mebibytes', async () => {
  const { source, sources } = await open();
  const ask = (behaviour: Parameters<Source['behave']>[1]) => {
    source.behave(`${isbnPath(ISBN)}?default=false`, behaviour);
    return outcome(sources.first(`isbn:${ISBN}`, signal));
  };
  const limit = 10 * 1024 * 1024;
  expect(await ask(png(pngOf(limit)))).toBe(limit);
  expect(await ask(png(pngOf(limit + 1)))).toBeNaN();
  expect(await ask(gives(COVER, 'text/html'))).toBe(-200);
  expect(await ask((response) => void response.writeHead(200).end(COVER))).toBe(-200);
  expect(
    await ask(
      (response) => void response.writeHead(206, { 'Content-Type': 'image/png' }).end(COVER),
    ),
  ).toBe(-206);
});

test('a source’s wish for a pause comes with its refusal', async () => {
  const { source, sources } = await open();
  source.behave(
    `${isbnPath(ISBN)}?default=false`,
    (response) => void response.writeHead(429, { 'Retry-After': '120' }).end(),
  );
  await expect(sources.first(`isbn:${ISBN}`, signal)).rejects.toMatchObject({
    status: 429,
    retryAfterMs: 120_000,
    message: 'No image, with status 429',
  });
});

test('an invalid address is not requested', async () => {
  const { sources } = await open();
  await expect(sources.first('nowhere', signal)).rejects.toMatchObject({
    status: 0,
    retryAfterMs: null,
  });
});

test.each([
  ['http://127.0.0.1/1.jpg', 'Not a public address'],
  ['https://127.0.0.1/1.jpg', 'Not a public address'],
  ['http://[::1]/1.jpg', 'Not a public address'],
  // A machine may have no entry for this name.
  ['http://localhost/1.jpg', /No address to connect to|ENOTFOUND localhost/],
  ['http://127.0.0.1:8080/1.jpg', 'No image, with status 0'],
  ['file:///etc/hostname', 'No image, with status 0'],
])('no connection is opened for %s', async (url, sentence) => {
  const relay = new Relay(2000);
  await expect(relay.download(url, { signal })).rejects.toThrow(sentence);
  // Nor if the address belongs to another household's service.
  await expect(relay.fetch(url, asker, 'http://127.0.0.1:8081')).rejects.toThrow(sentence);
  await relay.close();
});

test('a source that does not answer in time is left', async () => {
  const source = await openSource();
  source.behave('/silent', () => undefined);
  const relay = new Relay(50);
  const url = `${source.url}/silent`;
  await expect(relay.download(url, { signal, site: source.url })).rejects.toThrow();
  await relay.close();
});

test('a source is not asked if the caller has left', async () => {
  const source = await openSource();
  const relay = new Relay(50);
  const gone = AbortSignal.abort(new Error('gone'));
  const asked = relay.download(`${source.url}/silent`, { signal: gone, site: source.url });
  await expect(asked).rejects.toThrow('gone');
  expect(source.asked).toEqual([]);
  await relay.close();
});

test('a source learns nothing of the household but its user agent', async () => {
  const source = await openSource();
  const seen: unknown[] = [];
  source.behave('/1.png', (response) => {
    const { accept, cookie, referer, 'user-agent': agent } = response.req.headers;
    seen.push([accept, cookie, referer, /^Rayonnage/.test(agent ?? '')]);
    png(COVER)(response);
  });
  const relay = new Relay(2000);
  await relay.download(`${source.url}/1.png`, { signal, site: source.url });
  expect(seen).toEqual([['image/*', undefined, undefined, true]]);
  await relay.close();
});

test('a long answer without a picture holds no connection', async () => {
  const source = await openSource();
  let isOpen = false;
  source.behave('/long', (response) => {
    isOpen = true;
    response.on('close', () => (isOpen = false));
    response.writeHead(404).write(Buffer.alloc(1_000_000));
  });
  const relay = new Relay(60_000);
  const asked = relay.download(`${source.url}/long`, { signal, site: source.url });
  expect(await outcome(asked)).toBe(-404);
  await eventually(() => isOpen).toBe(false);
  await relay.close();
});

test('a relay that is closed opens no connection', async () => {
  const source = await openSource();
  const relay = new Relay(60_000);
  const ask = (url: string) => relay.download(url, { signal, site: source.url });
  expect(await outcome(ask(`${source.url}/none`))).toBe(-404);
  await relay.close();
  for (const url of [`${source.url}/none`, 'http://127.0.0.1/1.jpg'])
    await expect(ask(url)).rejects.toThrow('The connections are closed');
  expect(source.asked).toEqual(['/none']);
});
