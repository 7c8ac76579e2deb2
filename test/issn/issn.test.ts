import { describe, expect, it } from 'vitest';
import { issnDuCode977, lireIssn } from '#shared/issn';
import { unescape } from '../support/escapes.ts';
import { readVectors } from '../support/vectors.ts';

describe('an ISSN', () => {
  it.each(readVectors('issn-valides'))('is read in « %s »', (texte = '', issn = '') => {
    expect(lireIssn(unescape(texte))).toBe(issn);
    expect(lireIssn(issn)).toBe(issn);
  });

  it.each(readVectors('issn-invalides'))('is not in « %s »', (texte = '') => {
    expect(lireIssn(texte)).toBeNull();
  });
});

describe('a periodical’s code', () => {
  it.each(readVectors('codes-977'))('« %s » says « %s »', (code = '', issn) => {
    const attendu = issn === '' ? null : { issn: issn === '-' ? null : issn };
    expect(issnDuCode977(code)).toEqual(attendu);
  });
});
