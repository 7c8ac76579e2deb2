import { expect, test } from 'vitest';
import { send, serve } from '../support/server.ts';

const bytes = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
const moi = async (settings: Record<string, string>, headers: string[]) => {
  const { url } = await serve(settings);
  return (await send(`${url}/api/moi`, { headers })).json();
};

test('the identity of the sign-on layer', async () => {
  const headers = [
    'SSO_USER',
    bytes('Élodie'),
    'SSO_USER_EMAIL',
    'e@maison.fr',
    'SSO_USER_FULLNAME',
    bytes('Élodie Œuf'),
  ];
  expect(await moi({}, headers)).toEqual({
    utilisateur: 'Élodie',
    email: 'e@maison.fr',
    nomComplet: 'Élodie Œuf',
  });
});

test('without one, all is null', async () => {
  expect(await moi({}, [])).toEqual({ utilisateur: null, email: null, nomComplet: null });
});

test('a header given twice says nothing', async () => {
  expect(await moi({ SIMULATED_USER: 'sim' }, ['SSO_USER', 'a', 'sso_user', 'a'])).toMatchObject({
    utilisateur: null,
  });
});

test('headers have the names of the settings, and no other', async () => {
  const settings = { SSO_HEADER_USER: 'Remote-User' };
  expect(await moi(settings, ['Remote-User', 'alice'])).toMatchObject({ utilisateur: 'alice' });
  expect(await moi(settings, ['SSO_USER', 'alice'])).toMatchObject({ utilisateur: null });
  expect(await moi({}, ['SSO-USER', 'alice'])).toMatchObject({ utilisateur: null });
});

test('a proxy that is not trusted says nothing, whatever it forwards', async () => {
  const headers = ['SSO_USER', 'alice', 'X-Forwarded-For', '10.0.0.1', 'Forwarded', 'for=10.0.0.1'];
  expect(await moi({ TRUSTED_PROXIES: '10.0.0.0/8' }, headers)).toMatchObject({
    utilisateur: null,
  });
  expect(
    await moi({ TRUSTED_PROXIES: '10.0.0.0/8', SIMULATED_USER: 'sim' }, headers),
  ).toMatchObject({ utilisateur: 'sim' });
});
