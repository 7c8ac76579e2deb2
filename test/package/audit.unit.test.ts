import { expect, test } from 'vitest';
import { auditOutcome } from '../../scripts/support/audit-outcome.ts';

test('an audit holds where the registry knows nothing against a package', () => {
  expect(auditOutcome('{"auditReportVersion":2,"vulnerabilities":{}}')).toEqual({
    mark: '✓',
    lines: ['audit: 0 packages with an advisory'],
  });
});

test('a package with an advisory fails an audit, and is named', () => {
  const vulnerabilities = { tar: { name: 'tar', severity: 'high', range: '<6.2.1' } };
  expect(auditOutcome(JSON.stringify({ vulnerabilities }))).toEqual({
    mark: '✗',
    lines: ['✗ tar <6.2.1: high', 'audit: 1 packages with an advisory'],
  });
});

test.each([
  [
    '{"message":"405 Method Not Allowed - POST https://packages.example/","statusCode":405}',
    'audit: not examined, 405 Method Not Allowed - POST https://packages.example/',
  ],
  ['npm error code ENOTFOUND\n', 'audit: not examined, npm answers « npm error code ENOTFOUND »'],
])('a registry that answers no audit has examined nothing', (answer, line) => {
  expect(auditOutcome(answer)).toEqual({ mark: '–', lines: [line] });
});
