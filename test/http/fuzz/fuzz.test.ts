// @module-tag random
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openFurnishedHouse } from '../../modifications/support/base.ts';
import type { House } from '../../support/house.ts';
import { runs, SEED } from '../../support/random.ts';
import { send, type Received } from '../../support/server.ts';
import { testUpstream } from '../../support/upstream.ts';
import { requestsOf, type FuzzedRequest, type Operation } from './requests.ts';

const REQUESTS = runs(700);
const EVENTS = '/api/replication/evenements';

test(`no strange request gets an undocumented answer (SEED=${String(SEED)})`, async () => {
  const house = await openFuzzedHouse();
  const operations = await operationsOf(house);
  const document = await house.ask(null, 'GET', '/api/documentation/json');
  const fits = documentedAnswers(document.body as Record<string, unknown>);
  const accepted = new Set<Operation>();
  const each = Math.ceil(REQUESTS / operations.length);
  const requests = operations.flatMap((operation, index) =>
    fc
      .sample(requestsOf(operation), { numRuns: each, seed: SEED + index })
      .map((request) => ({ operation, request })),
  );
  // Interleave the operations, as if many people used the service.
  const rank = (index: number) => (index % each) * operations.length + index;
  const order = requests.map((one, index) => ({ one, at: rank(index) }));
  for (const { one } of order.sort((a, b) => a.at - b.at)) {
    const { operation, request } = one;
    const answer = await answerOf(house, request);
    const outcome = tell(request);
    checkAnswer(answer, outcome);
    fits(operation, answer, outcome);
    if (answer.status < 300) accepted.add(operation);
  }
  // The test is pointless if all requests are refused.
  expect(accepted.size).toBeGreaterThan(operations.length / 2);
  expect((await house.ask(null, 'GET', '/api/sante')).body).toMatchObject({ etat: 'ok' });
});

/** A household with a record of each kind, and simulated catalogues. */
async function openFuzzedHouse(): Promise<House> {
  const upstream = await testUpstream();
  return openFurnishedHouse({
    BNF_SRU_URL: upstream.bnfSruUrl,
    OPEN_LIBRARY_URL: upstream.openLibraryUrl,
    OPEN_LIBRARY_COVERS_URL: upstream.openLibraryUrl,
  });
}

/** Every documented operation, except the event stream, which does not end. */
async function operationsOf(house: House): Promise<Operation[]> {
  const { body } = await house.ask(null, 'GET', '/api/documentation/json');
  const { paths } = body as { paths: Record<string, Record<string, Operation>> };
  return Object.entries(paths)
    .filter(([path]) => path !== EVENTS)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        ...operation,
        method: method.toUpperCase(),
        path,
      })),
    );
}

const tell = ({ method, target, headers, body }: FuzzedRequest): string =>
  `${method} ${target.slice(0, 300)} ${JSON.stringify(headers)} ${String(body).slice(0, 500)}`;

/** The response, or an error that names the request. */
function answerOf({ url }: House, request: FuzzedRequest): Promise<Received> {
  const { method, target, headers, body } = request;
  const hangs = new Promise<never>((_, reject) =>
    setTimeout(() => reject(new Error(`No answer: ${tell(request)}`)), 60_000).unref(),
  );
  const sent = send(url + target, { method, headers, ...(body !== undefined && { body }) });
  return Promise.race([sent, hangs]);
}

function checkAnswer({ status, headers, text, json }: Received, request: string): void {
  expect(status, request).toBeLessThan(500);
  expect(text, request).not.toMatch(
    /sqlite|SELECT |node_modules|\.ts:|\bat [\w.]+ \(|\/work\/|\/tmp\//,
  );
  if (status < 400) return;
  expect(headers['content-type'], request).toBe('application/json; charset=utf-8');
  const error = json();
  expect(error, request).toMatchObject({
    statusCode: status,
    code: expect.stringMatching(/^[A-Z_]+$/) as string,
    error: expect.any(String) as string,
  });
  expect(error['message'], request).toMatch(/\S.*[.!?]$/);
  const champs = error['code'] === 'REQUETE_INVALIDE' ? error['champs'] : [];
  const isUndocumented = ({ champ, message }: { champ: string; message: string }) =>
    !/\S/.test(champ) || !/\S/.test(message);
  expect((champs as { champ: string; message: string }[]).filter(isUndocumented), request).toEqual(
    [],
  );
}

/** Returns a function that checks a response against the documented schema of its operation and status. */
function documentedAnswers(document: Readonly<Record<string, unknown>>) {
  // Ajv would warn about each of our own formats.
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  const refusals = new Map<number, ReturnType<typeof ajv.compile>>();
  const refusalsOf = (status: number) => {
    const known =
      refusals.get(status) ??
      ajv.compile({ ...document, $ref: `#/components/schemas/Refus${String(status)}` });
    refusals.set(status, known);
    return known;
  };
  const compiled = new Map<object, ReturnType<typeof ajv.compile>>();
  return ({ responses }: Operation, { status, headers, text, json }: Received, request: string) => {
    const response = responses[String(status)];
    const isRefusal = status >= 400;
    // Statuses that any request may get are documented once, as refusals.
    expect(!isRefusal || refusalsOf(status)(json()), `${request}: ${text}`).toBe(true);
    if (isRefusal) return;
    expect(response, `${request}: ${String(status)} is not documented`).toBeDefined();
    const [type, schema] = Object.entries(response?.content ?? {})[0] ?? [];
    expect(type !== undefined || text === '', `${request}: ${text}`).toBe(true);
    if (type === undefined) return;
    expect(headers['content-type'], request).toMatch(RegExp(`^${type.replace('*', '\\w+')}`));
    if (type !== 'application/json' || schema?.schema === undefined) return;
    const fits = compiled.get(schema) ?? ajv.compile(schema.schema);
    compiled.set(schema, fits);
    void fits(json());
    expect(fits.errors ?? [], `${request}: ${text.slice(0, 1000)}`).toEqual([]);
  };
}
