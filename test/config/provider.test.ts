import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '#server/config';

const GIVEN = {
  ACCOUNTS: 'oui',
  OIDC_ISSUER: 'https://id.example.org/realms/maison',
  OIDC_CLIENT_ID: 'rayonnage',
  OIDC_CLIENT_SECRET: 'secret',
};

test('a provider without options gets default name, claim and scope', () => {
  expect(readConfig(GIVEN).provider).toEqual({
    issuer: new URL('https://id.example.org/realms/maison'),
    clientId: 'rayonnage',
    clientSecret: 'secret',
    nom: 'id.example.org',
    scope: 'openid profile email',
    claim: 'preferred_username',
    letIn: null,
  });
});

test('the users let in are a list or a claim', () => {
  const letIn = (OIDC_ALLOWED: string) => readConfig({ ...GIVEN, OIDC_ALLOWED }).provider?.letIn;
  expect(letIn('camille, luc')).toEqual({ identifiers: ['camille', 'luc'] });
  expect(letIn('groups=family, amis')).toEqual({ claim: 'groups', values: ['family', 'amis'] });
});

test('a provider on this machine may lack HTTPS', () => {
  const { provider } = readConfig({ ...GIVEN, OIDC_ISSUER: 'http://127.0.0.1:9000' });
  expect(provider?.issuer.port).toBe('9000');
});

test.each([
  ['OIDC_CLIENT_ID', { OIDC_CLIENT_ID: '' }],
  ['OIDC_CLIENT_SECRET', { OIDC_CLIENT_SECRET: '' }],
  ['OIDC_ISSUER', { OIDC_ISSUER: '' }],
  ['OIDC_ISSUER', { OIDC_ISSUER: 'id.example.org' }],
  ['OIDC_ISSUER', { OIDC_ISSUER: 'http://id.example.org' }],
  ['OIDC_CLAIM', { OIDC_CLAIM: 'two words' }],
  ['OIDC_SCOPE', { OIDC_SCOPE: 'profile' }],
  ['OIDC_ALLOWED', { OIDC_ALLOWED: 'camille,,luc' }],
  ['OIDC_ALLOWED', { OIDC_ALLOWED: 'groups=' }],
  ['OIDC_ALLOWED', { OIDC_ALLOWED: '=family' }],
  ['OIDC_NAME', { OIDC_NAME: 'x'.repeat(41) }],
  ['OIDC_ISSUER', { ACCOUNTS: 'non' }],
])('a bad setting stops the start, and is named: %s', (name, more) => {
  const read = () => readConfig({ ...GIVEN, ...more });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(`Réglage ${name} : `);
});
