import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { isAllowedUrl, isPublic, Relay } from '#server/subjects/couvertures/sources';
import { atLeastOne } from '../support/at-least-one.ts';
import {
  SWITCHING,
  IMAGES,
  NOT_ALLOWED,
  FORBIDDEN_ADDRESSES,
  REFUSED_URLS,
  LITERALS,
  HOST_NAMES,
  PUBLIC_IPV4,
  PUBLIC_IPV6,
  WITHOUT_IMAGE,
  ZONE,
} from './cases.ts';
import {
  runInNamespace,
  probeNamespace,
  type Outcome,
  type RelayAnswer,
} from './namespace/namespace.ts';

const support = probeNamespace();
const asker = { owner: 'alice', signal: new AbortController().signal };
const where = support.possible
  ? 'in a network namespace'
  : `on the address rule and the connector alone (no network namespace: ${support.reason})`;
process.stdout.write(`The cover relay is tried ${where}.\n`);

describe(
  `the relay, ${where}`,
  { tags: 'process' },
  support.possible ? inANamespace : onAddressRulesAlone,
);

test.runIf(process.env['CI'])('this machine makes network namespaces', () => {
  expect(support).toEqual({ possible: true });
});

function inANamespace(): void {
  let outcome: Outcome;
  beforeAll(() => {
    outcome = runInNamespace();
  });

  const refusal = (): RelayAnswer => {
    const [first] = Object.values(outcome.unknownUrls);
    if (first === undefined) throw new Error('No refusal');
    return first;
  };

  test('no connection was opened to a forbidden address or port', () => {
    expect(outcome.breakIns).toEqual([]);
  });

  test.each(Object.entries(IMAGES))('shows %s as %s', (url, type) => {
    const answer = outcome.images[url];
    expect(answer).toMatchObject({
      status: 200,
      headers: {
        'content-type': type,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': expect.stringMatching(/^private, max-age=\d{5,}/u) as string,
      },
    });
    expect(Object.keys(answer?.headers ?? {})).not.toContain('set-cookie');
    expect(Object.keys(answer?.headers ?? {})).not.toContain('x-espion');
  });

  test('gives the bytes as they came', () => {
    expect(outcome.images['http://images.test/png']?.payload).toMatch(/^\x89PNG\r\n\x1a\n\0+$/u);
    expect(outcome.images['http://images.test/dix-mio']?.length).toBe(10 * 1024 * 1024);
  });

  test.each(REFUSED_URLS)('refuses %s', (url) => expect(outcome.refused[url]).toEqual(refusal()));

  test.each(WITHOUT_IMAGE)('refuses what %s gives', (url) => {
    expect(outcome.withoutImage[url]).toEqual(refusal());
    expect(outcome.visits.map(({ path }) => path)).toContain(new URL(url).pathname);
  });

  test('refuses unknown addresses with one and the same answer', () => {
    expect(refusal().status).toBe(404);
    expect(refusal().payload).toContain('INTROUVABLE');
    for (const answer of atLeastOne(Object.values(outcome.unknownUrls)))
      expect(answer).toEqual(refusal());
    expect(outcome.visits.map(({ path }) => path)).not.toContain('/inconnue');
  });

  test('connects to the address that it checked', () => {
    const statuses = outcome.switching.map((round) => SWITCHING.map((url) => round[url]?.status));
    expect(statuses).toEqual([
      [200, 404],
      [404, 200],
    ]);
  });

  test('waiting for a turn takes nothing from a cover’s time', () => {
    expect(outcome.inLine).toEqual({ behind: 200, ofAnother: 200 });
  });

  test('sends up nothing of the caller', () => {
    expect(outcome.visits.length).toBeGreaterThan(Object.keys(IMAGES).length);
    for (const { headers } of outcome.visits) {
      expect(Object.keys(headers).sort()).toEqual(['accept', 'connection', 'host', 'user-agent']);
    }
  });
}

function onAddressRulesAlone(): void {
  test.each([...LITERALS, ...NOT_ALLOWED, ...HOST_NAMES.filter((nom) => /localhost/iu.test(nom))])(
    'refuses %s',
    async (url) => {
      const relay = new Relay(2000);
      onTestFinished(() => relay.close());
      await expect(relay.fetch(url, asker)).rejects.toThrow();
    },
  );

  test.each(HOST_NAMES.filter((nom) => !/localhost/iu.test(nom)))(
    'admits no address of %s',
    (url) => {
      const answers = ZONE[new URL(url).hostname.replace(/\.$/u, '')] ?? [];
      expect(answers.flat().filter(isPublic)).toEqual([]);
    },
  );

  test.each(FORBIDDEN_ADDRESSES)('%s is not public', (address) =>
    expect(isPublic(address)).toBe(false),
  );

  test.each([PUBLIC_IPV4, PUBLIC_IPV6])('%s is', (address) => expect(isPublic(address)).toBe(true));

  test.each(Object.keys(IMAGES))('%s may be asked for', (url) => {
    expect(isAllowedUrl(new URL(url))).toBe(true);
  });
}
