import { expect, test, vi } from 'vitest';
import { Authenticator } from '../support/authenticator.ts';
import {
  addPasskey,
  askForOne,
  askToSign,
  ELSEWHERE,
  openNamed,
  ORIGIN,
  sendSigned,
  signInBy,
  THERE,
} from './passkey-support.ts';
import { pass, whoReads, type Browser, type Home } from './support.ts';

const REFUSED = { status: 401, body: { code: 'CLE_ACCES_REFUSEE' } };

test('a passkey opens a session in its member’s name', async () => {
  const home = await openNamed();
  const claire = await home.member('Claire');
  const authenticator = await addPasskey(claire);
  const { reply, browser } = await signInBy(home, authenticator);
  expect(reply).toMatchObject({ status: 200, body: { utilisateur: 'claire', compte: true } });
  expect(browser.attributes).toContain('Secure');
  expect(await whoReads(browser)).toBe('claire');
});

test('a passkey’s last use is shown', async () => {
  const home = await openNamed();
  const claire = await home.member('Claire');
  await signInBy(home, await addPasskey(claire));
  const { body } = await claire.ask('GET', '/api/moi/cles-acces');
  expect(body).toMatchObject({
    avecMotDePasse: true,
    cles: [{ nom: 'Téléphone', hote: 'bibliotheque.example.org' }],
  });
  expect(JSON.stringify(body)).not.toContain('"vue":null');
});

test('below a path a passkey opens the same', async () => {
  const home = await openNamed({ BASE_PATH: '/biblio' });
  const authenticator = await addPasskey(await home.member('Claire'));
  const { reply, browser } = await signInBy(home, authenticator);
  expect(reply.status).toBe(200);
  expect(browser.attributes).toContain('Path=/biblio/');
});

test('an answer that is replayed opens nothing', async () => {
  const home = await openNamed();
  const authenticator = await addPasskey(await home.member('Claire'));
  const signature = authenticator.sign(await askToSign(home.device()));
  expect((await sendSigned(home.device(), signature)).status).toBe(200);
  const thief = home.device();
  expect(await sendSigned(thief, signature)).toMatchObject(REFUSED);
  expect(await whoReads(thief)).toBe('CONNEXION_REQUISE');
});

test('a response replayed at once lets in one device only', async () => {
  const home = await openNamed();
  const authenticator = await addPasskey(await home.member('Claire'));
  const signature = authenticator.sign(await askToSign(home.device()));
  const answers = await Promise.all(
    ['203.0.113.1', '203.0.113.2', '203.0.113.3'].map((address) =>
      sendSigned(home.device(address), signature),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
});

test('a wrong answer uses its challenge up', async () => {
  const home = await openNamed();
  const authenticator = await addPasskey(await home.member('Claire'));
  const options = await askToSign(home.device());
  const wrong = authenticator.sign(options, { isVerified: false });
  expect(await sendSigned(home.device(), wrong)).toMatchObject(REFUSED);
  expect(await sendSigned(home.device(), authenticator.sign(options))).toMatchObject(REFUSED);
});

test('a late, misplaced or invented challenge is refused', async () => {
  const home = await openNamed();
  const claire = await home.member('Claire');
  const authenticator = await addPasskey(claire);
  const late = authenticator.sign(await askToSign(home.device()));
  for (const { challenge } of [await askForOne(claire), { challenge: 'AAAA' }]) {
    const { reply } = await signInBy(home, authenticator, { challenge });
    expect(reply).toMatchObject(REFUSED);
  }
  pass(6);
  expect(await sendSigned(home.device(), late)).toMatchObject(REFUSED);
});

test('a signature unverified or for another site is refused', async () => {
  const home = await openNamed();
  const authenticator = await addPasskey(await home.member('Claire'));
  const lies = [
    { origin: 'https://ailleurs.example.org' },
    { origin: 'http://bibliotheque.example.org' },
    { origin: `${ORIGIN}:8443` },
    { rpId: 'example.org' },
    { isVerified: false },
    { type: 'webauthn.create' },
  ];
  for (const [i, lie] of lies.entries()) {
    const browser = home.device(`203.0.113.${i + 1}`);
    const signature = authenticator.sign(await askToSign(browser), lie);
    expect(await sendSigned(browser, signature), JSON.stringify(lie)).toMatchObject(REFUSED);
  }
});

test('a passkey of one host opens nothing at another', async () => {
  const home = await openNamed();
  const authenticator = await addPasskey(await home.member('Claire'));
  const browser = home.device();
  const options = await askToSign(browser, ELSEWHERE);
  const signature = authenticator.sign(options, { origin: ELSEWHERE.Origin });
  expect(await sendSigned(browser, signature, ELSEWHERE)).toMatchObject(REFUSED);
});

const FOREIGN = { ...THERE, Origin: 'https://evil.example' };
const challengeFor = async (browser: Browser, headers: Record<string, string>) =>
  (await browser.ask('POST', '/api/connexion/cle-acces/defi', undefined, headers)).body;

test('a page of another site gets no challenge', async () => {
  const home = await openNamed();
  await home.member('Claire');
  expect(await challengeFor(home.device(), FOREIGN)).toMatchObject({ code: 'ORIGINE_REFUSEE' });
});

test('without passkeys in browsers no challenge is given', async () => {
  const home = await openNamed();
  await home.member('Claire');
  const ask = (headers: Record<string, string>) => challengeFor(home.device(), headers);
  // A proxy that does not forward the host; the browser sends « same-origin ».
  const lost = { ...FOREIGN, 'Sec-Fetch-Site': 'same-origin' };
  for (const headers of [
    lost,
    { Host: 'maison.example', Origin: 'http://maison.example' },
    { Host: '192.168.1.20', Origin: 'https://192.168.1.20' },
    { Host: '[fd00::1]', Origin: 'https://[fd00::1]' },
    {},
  ])
    expect(await ask(headers)).toMatchObject({ code: 'CLES_ACCES_IMPOSSIBLES' });
  expect(await ask({ Host: 'localhost:3000', Origin: 'http://localhost:3000' })).toMatchObject({
    rpId: 'localhost',
  });
});

test('a passkey without counts signs in each time', async () => {
  const home = await openNamed();
  const authenticator = await addPasskey(await home.member('Claire'));
  for (let i = 0; i < 2; i++) expect((await signInBy(home, authenticator)).reply.status).toBe(200);
});

const signInAt = async (home: Home, authenticator: Authenticator, count: number) => {
  authenticator.count = count;
  return (await signInBy(home, authenticator)).reply;
};

test('a valid signature signs in, with any counter', async () => {
  const home = await openNamed();
  const authenticator = await addPasskey(await home.member('Claire'));
  for (const count of [7, 7, 6, 0, 0, 8])
    expect(await signInAt(home, authenticator, count), String(count)).toMatchObject({
      status: 200,
      body: { utilisateur: 'claire' },
    });
});

test('a counter that decreases is shown to the owner once, and logged', async () => {
  const home = await openNamed({ LOG_LEVEL: 'warn' });
  const claire = await home.member('Claire');
  const authenticator = await addPasskey(claire);
  const log = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const reply: unknown[] = [];
  for (const count of [7, 6, 5]) reply.push((await signInAt(home, authenticator, count)).body);
  expect(reply).toEqual([
    expect.not.objectContaining({ cleReculee: expect.anything() as string }),
    expect.objectContaining({ utilisateur: 'claire', cleReculee: 'Téléphone' }),
    expect.not.objectContaining({ cleReculee: expect.anything() as string }),
  ]);
  const lines = log.mock.calls.map(([line]) => String(line));
  expect(lines.filter((line) => line.includes('did not advance'))).toHaveLength(1);
  const { body } = await claire.ask('GET', '/api/moi/cles-acces');
  expect(body).toMatchObject({ cles: [{ recul: expect.stringMatching(/Z$/) as string }] });
});

test('a passkey without a counter causes no warning', async () => {
  const home = await openNamed();
  const claire = await home.member('Claire');
  const authenticator = await addPasskey(claire);
  for (const count of [0, 0]) await signInAt(home, authenticator, count);
  const { body } = await claire.ask('GET', '/api/moi/cles-acces');
  expect(body).toMatchObject({ cles: [{ recul: null }] });
});

test('every failed sign-in by passkey gets the same answer', async () => {
  const home = await openNamed();
  const claire = await home.member('Claire');
  const luc = await home.member('Luc');
  const [known, ofLuc] = [await addPasskey(claire), await addPasskey(luc)];
  await claire.ask('PUT', '/api/membres/2', { nom: 'Luc', gere: false, exclu: true });
  const stranger = new Authenticator(ORIGIN);
  stranger.make(await askForOne(claire));
  const answers = [
    (await signInBy(home, stranger)).reply,
    (await signInBy(home, ofLuc)).reply,
    (await signInBy(home, known, { isVerified: false })).reply,
    (await signInBy(home, known, { userHandle: 'AAAA' })).reply,
  ];
  for (const { status, body } of answers) {
    expect(status).toBe(401);
    expect(body).toEqual(answers[0]?.body);
  }
});

test('a passkey under another’s id opens no account', async () => {
  const home = await openNamed();
  const [claire, luc] = [await home.member('Claire'), await home.member('Luc')];
  const ofClaire = await addPasskey(claire);
  const ofLuc = await addPasskey(luc);
  const options = await askToSign(home.device());
  const [hers, his] = [ofClaire.sign(options), ofLuc.sign(options)];
  const forged = { ...hers, response: his.response };
  expect(await sendSigned(home.device(), forged)).toMatchObject(REFUSED);
});

test('five wrong signatures have an address wait', async () => {
  const home = await openNamed();
  const authenticator = await addPasskey(await home.member('Claire'));
  const stranger = home.device('198.51.100.7');
  for (let i = 0; i < 5; i++)
    await sendSigned(stranger, authenticator.sign(await askToSign(stranger), { rpId: 'x' }));
  const right = authenticator.sign(await askToSign(stranger));
  expect((await sendSigned(stranger, right)).status).toBe(429);
});
