import { expect, test } from 'vitest';
import { calendarText } from '#server/plumbing/common/calendar';

const event = { uid: 'pret-1@rayonnage', sequence: 7, day: '2026-03-12' };

const linesOf = (summary: string): string[] =>
  calendarText('Retours', '//Rayonnage//Loans//FR', [{ ...event, summary }]).split('\r\n');

test('a day of a calendar is written as RFC 5545 says', () => {
  expect(linesOf('Dune').filter((line) => !line.startsWith('DTSTAMP:'))).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Rayonnage//Loans//FR',
    'NAME:Retours',
    'X-WR-CALNAME:Retours',
    'BEGIN:VEVENT',
    'UID:pret-1@rayonnage',
    'SEQUENCE:7',
    'DTSTART;VALUE=DATE:20260312',
    'SUMMARY:Dune',
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ]);
  expect(linesOf('Dune').filter((line) => /^DTSTAMP:\d{8}T\d{6}Z$/.test(line))).toHaveLength(1);
});

test('signs that part a calendar are no part of a title', () => {
  expect(linesOf('A, B; C\\D\r\nBEGIN:VEVENT\n\0E')).toContain(
    String.raw`SUMMARY:A\, B\; C\\D\nBEGIN:VEVENT\nE`,
  );
});

test('a long line is folded at 75 octets, between characters', () => {
  const summary = 'é📚'.repeat(60);
  const lines = linesOf(summary);
  expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75);
  expect(lines.join('\r\n').replaceAll('\r\n ', '')).toContain(`SUMMARY:${summary}\r\n`);
});
