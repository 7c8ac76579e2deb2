import { expect, test } from 'vitest';
import { identify, type IdentityRules, ProxyList } from '#server/plumbing/http/identity';

const rules: IdentityRules = {
  headers: { utilisateur: 'sso_user', email: 'sso_user_email', nomComplet: 'sso_user_fullname' },
  simulatedUser: null,
};
const simulating = { ...rules, simulatedUser: 'simulé' };
/** UTF-8 bytes as Node presents them in a header. */
const bytes = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
const nobody = { utilisateur: null, email: null, nomComplet: null };

const noms: [string, string[] | undefined, string | null][] = [
  ['a plain name', ['alice'], 'alice'],
  ['UTF-8', [bytes('Élodie')], 'Élodie'],
  ['beyond the BMP', [bytes('𝔄da')], '𝔄da'],
  ['inner blanks and case, exactly', ['Jean  PAUL'], 'Jean  PAUL'],
  ['200 characters', [bytes('é'.repeat(200))], 'é'.repeat(200)],
  ['200 characters that are pairs', [bytes('𝔄'.repeat(200))], '𝔄'.repeat(200)],
  ['201 characters', ['a'.repeat(201)], null],
  ['empty', [''], null],
  ['blank', ['  '], null],
  ['twice', ['alice', 'alice'], null],
  ['latin1 that is no UTF-8', ['\xc9lodie'], null],
  ['overlong UTF-8', ['\xc0\xaf'], null],
  ['an encoded surrogate', ['\xed\xa0\x80'], null],
  ['a control character', [bytes('al\u0007ice')], null],
  ['a C1 control character', [bytes('al\u0085ice')], null],
  ['a tabulator', ['al\tice'], null],
  [
    'what Caddy writes for a header that is not there',
    ['{http.reverse_proxy.header.Remote-User}'],
    null,
  ],
  ['what Tailscale writes for an accent', ['=?utf-8?q?Am=C3=A9lie_D=5F?='], 'Amélie D_'],
  [
    'what it writes in several words',
    ['=?utf-8?q?=C3=89lodie?= =?utf-8?q?_du_B=C3=A9arn?='],
    'Élodie du Béarn',
  ],
  ['such a word in base 64', ['=?UTF-8?B?w4lsb2RpZQ==?='], 'Élodie'],
  ['such a word that is no UTF-8', ['=?utf-8?q?=C9lodie?='], null],
  ['a question', ['=?utf-8?x?Am?='], '=?utf-8?x?Am?='],
  ['absent', undefined, null],
];

test.each(noms)('the user: %s', (_name, given, expected) => {
  const headers = (given ?? []).flatMap((value) => ['SSO_USER', value]);
  expect(identify(headers, rules).utilisateur).toBe(expected);
});

test('a bad e-mail or full name loses only itself', () => {
  const emails = ['sso_user_email', 'a@b.fr', 'Sso_User_Email', 'c@d.fr'];
  const headers = ['sso_user', 'alice', ...emails, 'sso_user_fullname', bytes('Zoé')];
  expect(identify(headers, rules)).toEqual({
    utilisateur: 'alice',
    email: null,
    nomComplet: 'Zoé',
  });
  expect(identify(['sso_user_email', 'a@b.fr', 'x', 'sso_user', 'alice', 'y'], rules)).toEqual(
    nobody,
  );
});

test('a simulated user counts only without a user header', () => {
  expect(identify([], simulating).utilisateur).toBe('simulé');
  expect(identify(null, simulating).utilisateur).toBe('simulé');
  expect(identify(['sso_user', 'alice'], simulating).utilisateur).toBe('alice');
  expect(identify(['sso_user', ''], simulating)).toEqual(nobody);
  expect(identify(['sso_user', 'a', 'sso_user', 'b'], simulating)).toEqual(nobody);
});

test('user headers count only from a trusted proxy', () => {
  expect(identify(null, rules)).toEqual(nobody);
});

const addresses: [string, string | undefined, boolean][] = [
  ['127.0.0.0/8,::1', '127.0.0.1', true],
  ['127.0.0.0/8,::1', '127.9.9.9', true],
  ['127.0.0.0/8,::1', '::1', true],
  ['127.0.0.0/8,::1', '::ffff:127.0.0.1', true],
  ['127.0.0.0/8,::1', '10.0.0.1', false],
  ['127.0.0.0/8,::1', undefined, false],
  ['10.1.2.3', '10.1.2.3', true],
  ['10.1.2.3', '10.1.2.4', false],
  [' 10.0.0.0/8 , fd00::/8', '::ffff:10.200.0.1', true],
  [' 10.0.0.0/8 , fd00::/8', 'fd12::1', true],
  [' 10.0.0.0/8 , fd00::/8', 'fe80::1%eth0', false],
  ['fe80::/10', 'fe80::1%eth0', true],
  ['::ffff:10.0.0.1', '10.0.0.1', true],
  ['::ffff:10.0.0.0/104', '10.9.9.9', true],
  ['0.0.0.0/0', '8.8.8.8', true],
  ['0.0.0.0/0', 'fd12::1', false],
  ['::/0', '8.8.8.8', true],
  ['2000::/3', '8.8.8.8', false],
];

test.each(addresses)('TRUSTED_PROXIES=%s and %s', (list, address, trusted) => {
  expect(new ProxyList(list).trusts(address)).toBe(trusted);
});

test.each([
  '',
  'localhost',
  '10.0.0.1/33',
  '10.0.0.1/',
  '10.0.0.1/-1',
  '10.0.0',
  '::1/129',
  '1.2.3.4/8/8',
  '10.0.0.1,,',
  'fe80::1%eth0',
])('TRUSTED_PROXIES=%j is refused', (list) => {
  expect(() => new ProxyList(list)).toThrow();
});
