import { expect, test } from 'vitest';
import { failureOf, RateLimiter, waitAfter } from '#server/subjects/couvertures/fetcher';
import { COUNTED_MS } from '#server/subjects/couvertures/addresses';
import { DeadlyPicture, DotPicture, UnreadablePicture } from '#server/subjects/couvertures/image';
import { NoImage, readRetryAfter } from '#server/subjects/couvertures/sources';
import { BadAnswer } from '#server/plumbing/upstream/http';
import { Refusal } from '#shared/refusals';

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];
const WEEK = 7 * 24 * HOUR;
const NOW = Date.UTC(2026, 0, 1);

test.each([
  ['0', 0],
  ['120', 120 * SECOND],
  [' 120 ', 120 * SECOND],
  ['9999999', WEEK],
  [new Date(NOW + HOUR).toUTCString(), HOUR],
  [new Date(NOW - HOUR).toUTCString(), 0],
  [new Date(NOW + 2 * WEEK).toUTCString(), WEEK],
  ['', null],
  ['bientôt', null],
  ['120 s', null],
  ['x120', null],
  [undefined, null],
  [['120'], null],
])('« Retry-After: %s » is %s milliseconds', (header, expected) => {
  expect(readRetryAfter(header, NOW)).toBe(expected);
});

const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });

test.each<[string, unknown, string]>([
  ...[400, 401, 404, 410, 418].map((status): [string, unknown, string] => [
    String(status),
    new NoImage(status),
    'none',
  ]),
  ...[200, 204, 302, 399, 408, 425, 500, 503].map((status): [string, unknown, string] => [
    String(status),
    new NoImage(status),
    'later erreur -',
  ]),
  ['0', new NoImage(0), 'none'],
  ['404 with a time', new NoImage(404, 5), 'none'],
  ['503 with a time', new NoImage(503, 5), 'later refus 5'],
  ['403', new NoImage(403), 'later refus -'],
  ['429 with a time', new NoImage(429, 5), 'later refus 5'],
  ['an answer of no sense', new BadAnswer('x'), 'later erreur -'],
  ['bytes that are no picture', new UnreadablePicture('x'), 'later erreur -'],
  ['a picture that ends the process', new DeadlyPicture('x'), 'none'],
  ['a dot', new DotPicture('x'), 'none'],
  ['a full disk', full, 'later disque -'],
  ['a refused write', new Refusal('DISQUE_PLEIN'), 'later disque -'],
  ['another refusal', new Refusal('INTROUVABLE'), 'later injoignable -'],
  ['silence', new Error('timeout'), 'later injoignable -'],
])('the failure « %s » is reported', (_, error, expected) => {
  const failure = failureOf(error);
  const outcome = failure && `later ${failure.raison} ${String(failure.retryAfterMs ?? '-')}`;
  expect(outcome ?? 'none').toBe(expected);
});

test.each([
  [0, null, 10 * MINUTE],
  [1, null, 20 * MINUTE],
  [5, null, 320 * MINUTE],
  [50, null, WEEK],
  [3, 5, MINUTE],
  [3, 2 * MINUTE, 2 * MINUTE],
])('after %i failures and %s asked the wait is %i', (essais, asked, expected) => {
  expect(waitAfter(essais, asked)).toBe(expected);
});

const open = (hote: string, counted: readonly number[] = []) =>
  new RateLimiter(hote, () => counted);

test.each([
  ['images.test', 6],
  ['bnf', 2],
  ['isbn', 6],
])('%s is asked %i pictures at a time', (hote, atATime) => {
  const limiter = open(hote);
  expect(limiter.lastBegin).toBe(0);
  for (let i = 0; i < atATime; i++) {
    expect(limiter.nextBegin(NOW)).toBeLessThanOrEqual(NOW);
    limiter.begin(NOW + i);
  }
  expect(limiter.lastBegin).toBe(NOW + atATime - 1);
  expect(limiter.nextBegin(NOW)).toBe(Infinity);
  expect(limiter.isFree(NOW)).toBe(true);
  limiter.end();
  expect(limiter.nextBegin(NOW)).toBeLessThanOrEqual(NOW);
});

test('a counting host is asked a hundred times each period', () => {
  // Requests of the last minutes; the first one expires now.
  const limiter = open('isbn', [
    NOW - COUNTED_MS,
    ...Array.from({ length: 98 }, (_, i) => NOW - 98 + i),
  ]);
  limiter.begin(NOW);
  expect([limiter.isFree(NOW), limiter.nextBegin(NOW) <= NOW]).toEqual([true, true]);
  limiter.count(NOW + 1);
  expect(limiter.isFree(NOW + 1)).toBe(false);
  expect(limiter.nextBegin(NOW + 1)).toBe(NOW - 98 + COUNTED_MS);
  expect(limiter.isFree(NOW - 98 + COUNTED_MS)).toBe(true);
  limiter.pauseUntil(NOW + HOUR);
  expect(limiter.nextBegin(NOW + 1)).toBe(NOW + HOUR);
});

test('another host has no limit of a hundred requests', () => {
  const other = open('images.test');
  for (let i = 0; i < 200; i++) other.count(NOW);
  expect(other.isFree(NOW)).toBe(true);
});

test('a host silent three times gets ever longer pauses', () => {
  const limiter = open('images.test');
  const pauses: number[] = [];
  let now = NOW;
  for (let i = 0; i < 11; i++) {
    limiter.noteSilence(now);
    // A silence of a request that was already running does not count.
    if (limiter.nextBegin(now) > now) limiter.noteSilence(now);
    const until = Math.max(now, limiter.nextBegin(now));
    pauses.push((until - now) / MINUTE);
    now = until;
  }
  expect(pauses).toEqual([0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]);
  limiter.noteAnswer();
  for (const expected of [true, true, false]) {
    limiter.noteSilence(now);
    expect(limiter.isFree(now)).toBe(expected);
  }
  limiter.pauseUntil(now + 5);
  expect(limiter.isFree(now + 5)).toBe(false);
  expect(limiter.isFree(now + MINUTE)).toBe(true);
});
