import { describe, expect, it } from 'vitest';
import { issnOfCode977, parseIssn } from '#shared/issn';
import { unescape } from '../support/escapes.ts';
import { readVectors } from '../support/vectors.ts';

describe('an ISSN', () => {
  it.each(readVectors('issn-valid'))('is read in « %s »', (text = '', issn = '') => {
    expect(parseIssn(unescape(text))).toBe(issn);
    expect(parseIssn(issn)).toBe(issn);
  });

  it.each(readVectors('issn-invalid'))('is not in « %s »', (text = '') => {
    expect(parseIssn(text)).toBeNull();
  });
});

describe('a periodical’s code', () => {
  it.each(readVectors('codes-977'))('« %s » gives « %s »', (code = '', issn) => {
    const expected = issn === '' ? null : { issn: issn === '-' ? null : issn };
    expect(issnOfCode977(code)).toEqual(expected);
  });
});
