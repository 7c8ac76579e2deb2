import { expect, test } from 'vitest';
import { decidingClaims, isLetIn, whoIs } from '#server/subjects/identity/provider';

const byName = { claim: 'preferred_username', letIn: null };
const CAMILLE = { identifiant: 'camille', nom: 'Camille' };

test('a claim names somebody only by a valid text', () => {
  const who = (preferred_username: unknown) => whoIs({ preferred_username }, byName)?.identifiant;
  expect(who(' camille ')).toBe('camille');
  expect(who('E\u0301lodie')).toBe('\u00c9lodie');
  for (const none of [undefined, null, '', '  ', 12, true, ['camille'], {}, 'x'.repeat(201)])
    expect(who(none), JSON.stringify(none)).toBeUndefined();
});

test('without a name claim the identifier is the name', () => {
  const claims = { preferred_username: 'camille' };
  expect(whoIs({ ...claims, name: 'Camille' }, byName)).toEqual(CAMILLE);
  for (const name of [undefined, '', 7])
    expect(whoIs({ ...claims, name }, byName)?.nom).toBe('camille');
});

test('an address of mail has to be verified', () => {
  const rules = { claim: 'email', letIn: null };
  const who = (email_verified: unknown) => whoIs({ email: 'c@example.org', email_verified }, rules);
  expect(who(true)?.identifiant).toBe('c@example.org');
  for (const not of [undefined, false, 'true', 1]) expect(who(not)).toBeNull();
  expect(decidingClaims(rules)).toEqual(['email', 'email_verified']);
});

test('a list of identifiers lets in only whom it names', () => {
  const rules = { ...byName, letIn: { identifiers: ['camille'] } };
  expect(isLetIn({}, CAMILLE, rules, false)).toBe(true);
  expect(isLetIn({}, { ...CAMILLE, identifiant: 'Camille' }, rules, true)).toBe(false);
});

test('a claim lets in by any one of its values', () => {
  const rules = { ...byName, letIn: { claim: 'groups', values: ['family', 'amis'] } };
  const comesIn = (groups: unknown) => isLetIn({ groups }, CAMILLE, rules, false);
  for (const groups of ['family', ['dehors', 'amis']]) expect(comesIn(groups)).toBe(true);
  for (const groups of [undefined, null, '', 'fam', ['dehors'], [['family']], { family: 1 }])
    expect(comesIn(groups), JSON.stringify(groups)).toBe(false);
  expect(decidingClaims(rules)).toEqual(['preferred_username', 'groups']);
});

test('without a rule members can sign in', () => {
  expect(isLetIn({}, CAMILLE, byName, true)).toBe(true);
  expect(isLetIn({}, CAMILLE, byName, false)).toBe(false);
});
