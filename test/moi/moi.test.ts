import { expect, test } from 'vitest';
import { send, serve } from '../support/server.ts';

const bytes = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
/** A service with these settings; returns the user for given headers. */
const openMoi = async (settings: Record<string, string> = {}) => {
  const { url } = await serve(settings);
  return async (headers: string[]) => (await send(`${url}/api/moi`, { headers })).json();
};

test('the caller is whom the sign-on layer names', async () => {
  const moi = await openMoi();
  const headers = [
    'SSO_USER',
    bytes('Élodie'),
    'SSO_USER_EMAIL',
    'e@maison.fr',
    'SSO_USER_FULLNAME',
    bytes('Élodie Œuf'),
  ];
  expect(await moi(headers)).toEqual({
    utilisateur: 'Élodie',
    email: 'e@maison.fr',
    nomComplet: 'Élodie Œuf',
  });
});

test('without the headers of a sign-on layer all is null', async () => {
  const moi = await openMoi();
  for (const none of [[], ['SSO-USER', 'alice']])
    expect(await moi(none)).toEqual({ utilisateur: null, email: null, nomComplet: null });
});

test('a header given twice says nothing', async () => {
  const moi = await openMoi({ SIMULATED_USER: 'sim' });
  expect(await moi(['SSO_USER', 'a', 'sso_user', 'a'])).toMatchObject({ utilisateur: null });
});

test('headers have the names of the settings, and no other', async () => {
  const moi = await openMoi({ SSO_HEADER_USER: 'Remote-User' });
  expect(await moi(['Remote-User', 'alice'])).toMatchObject({ utilisateur: 'alice' });
  expect(await moi(['SSO_USER', 'alice'])).toMatchObject({ utilisateur: null });
});

test('the headers of an untrusted proxy are ignored', async () => {
  const headers = ['SSO_USER', 'alice', 'X-Forwarded-For', '10.0.0.1', 'Forwarded', 'for=10.0.0.1'];
  for (const [settings, utilisateur] of [
    [{}, null],
    [{ SIMULATED_USER: 'sim' }, 'sim'],
  ] as const) {
    const moi = await openMoi({ TRUSTED_PROXIES: '10.0.0.0/8', ...settings });
    expect(await moi(headers)).toMatchObject({ utilisateur });
  }
});
