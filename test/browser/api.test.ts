import { commands } from 'vitest/browser';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { ajouterLivre, lireLivre, modifierLivre, supprimerLivre } from '#shared/livres';
import { annulerModification } from '#shared/modifications';
import { preter } from '#shared/prets';
import { ApiError, call, exchange, refusalOf } from '../../src/lib/api/call.ts';
import { slowWrites, write } from '../../src/lib/api/write.svelte.ts';
import { feedback, inOrder } from '$lib/api/feedback.svelte';
import { link } from '$lib/api/link';
import { addLivre, lendTo, moveIn, moveOut } from './household.ts';
import { HINDRANCES } from '../support/front-behaviour.ts';

beforeEach(async () => {
  // Writes wait for the replica, which is not open here.
  vi.spyOn(link, 'waitForRevision').mockResolvedValue();
  await moveIn();
});
afterAll(moveOut);

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

const fail = (message: string): never => {
  throw new Error(message);
};

const readFirst = () => call(lireLivre, { params: { id: 1 } });

const orlando = { titre: 'Orlando', format: 'Physique' } as const;

test('a write returns the revision that shows it', async () => {
  const { body, revision } = await exchange(ajouterLivre, { body: orlando });
  expect(body.titre).toBe('Orlando');
  expect(revision).toBeGreaterThan(0);
});

test('a refusal keeps its sentence and its details', async () => {
  const livre = await addLivre('Orlando');
  await lendTo(livre, 'Anne');
  const refusal = refusalOf(
    await failureOf(exchange(preter, { params: { id: livre }, body: { emprunteur: 'Luc' } })),
  );
  expect(refusal).toMatchObject({ code: 'DEJA_PRETE', emprunteur: 'Anne' });
  expect(refusal?.message).toContain('Anne');
  const doublon = refusalOf(await failureOf(exchange(ajouterLivre, { body: orlando })));
  expect(doublon).toMatchObject({ code: 'DOUBLON', similaires: [{ titre: 'Orlando' }] });
});

test('a write from an outdated state is refused with today’s', async () => {
  const id = await addLivre('Orlando');
  const error = await failureOf(
    exchange(modifierLivre, { params: { id }, body: { ...orlando, annee: 1928 }, ifMatch: 99_999 }),
  );
  expect(refusalOf(error)).toMatchObject({
    code: 'MODIFIE_ENTRETEMPS',
    actuel: { titre: 'Orlando' },
    // A colon must not begin a line.
    message: 'Cette fiche a été modifiée entre-temps\u00a0: rien n’a été enregistré.',
  });
  const revision = error instanceof ApiError ? error.revision : null;
  expect(revision).toBeGreaterThan(0);
  const { body } = await exchange(modifierLivre, {
    params: { id },
    body: { ...orlando, annee: 1928 },
    ifMatch: revision,
  });
  expect(body.annee).toBe(1928);
});

test.each(HINDRANCES)(
  'the behaviour « %s » is reported as « %s » by our own message',
  async (behaviour, kind) => {
    const failed = vi.spyOn(link, 'failed');
    await commands.setFrontBehaviour(behaviour);
    const error = await failureOf(readFirst());
    expect(error).toMatchObject({ kind, refusal: null });
    expect(String(error)).not.toMatch(/nginx|fetch|50\d|html/i);
    expect(failed).toHaveBeenCalledOnce();
    failed.mockRestore();
    await commands.setFrontBehaviour('transparent');
    expect(refusalOf(await failureOf(readFirst()))).toMatchObject({ code: 'INTROUVABLE' });
  },
);

/** A refusal in the service's format, from any server. */
const answered = (statusCode: number, code: string) => {
  const error = { statusCode, error: 'Error', code, message: 'Cela ne se fait plus.' };
  return Response.json(error, { status: statusCode });
};

test('a refusal is reported by the device’s own message, whatever the service’s', async () => {
  const details = { code: 'DEJA_PRETE', message: 'Lent to Luc.', emprunteur: 'Luc' };
  const fetched = vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(() => Promise.resolve(Response.json(answer, { status: 409 })));
  let answer: object = { statusCode: 409, ...details };
  expect(await failureOf(readFirst())).toMatchObject({
    message: 'Ce livre est déjà prêté à Luc.',
    refusal: { emprunteur: 'Luc' },
  });
  // A response without a borrower, as of another version.
  answer = { ...answer, emprunteur: undefined };
  expect(await failureOf(readFirst())).toMatchObject({ message: 'Lent to Luc.' });
  const champs = [
    { champ: 'titre', code: 'TROP_LONG', arguments: { maximum: 500 }, message: 'is too long' },
    { champ: 'annee', code: 'FAUX', message: 'is wrong' },
  ];
  answer = {
    statusCode: 409,
    code: 'REQUETE_INVALIDE',
    message: 'The request is not right.',
    champs,
  };
  expect(await failureOf(readFirst())).toMatchObject({
    message: expect.stringContaining('titre') as string,
    refusal: {
      champs: [{ message: 'ne doit pas dépasser 500 caractères' }, { message: 'is wrong' }],
    },
  });
  fetched.mockRestore();
});

test('a refusal unknown to this version is reported', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch').mockResolvedValue(answered(409, 'FAIT_PLUS_TARD'));
  expect(await failureOf(readFirst())).toMatchObject({
    kind: 'refusal',
    message: 'Cela ne se fait plus.',
  });
  fetched.mockRestore();
});

test.each([
  [502, 'FST_REPLY_FROM_INTERNAL_SERVER_ERROR', 'offline'],
  [401, 'FST_JWT_NO_AUTHORIZATION_IN_HEADER', 'sessionExpired'],
  [500, 'ERREUR_INTERNE', 'unexpected'],
] as const)('%i « %s » is no refusal', async (status, code, kind) => {
  const fetched = vi.spyOn(globalThis, 'fetch').mockResolvedValue(answered(status, code));
  expect(await failureOf(readFirst())).toMatchObject({ kind, refusal: null });
  fetched.mockRestore();
});

test('a write that could not arrive is not even sent', async () => {
  link.state = 'offline';
  await commands.takeAsked();
  expect(await failureOf(write(ajouterLivre, { body: orlando }))).toMatchObject({
    kind: 'offline',
  });
  expect(await commands.takeAsked()).toEqual([]);
});

test('a write whose response is lost is executed once', async () => {
  await commands.setFrontBehaviour('lostAnswers');
  const written = write(ajouterLivre, { body: orlando });
  await expect
    .poll(async () => (await commands.takeAsked()).filter((one) => one.startsWith('POST')).length)
    .toBeGreaterThan(0);
  await commands.setFrontBehaviour('transparent');
  expect(await written).toMatchObject({ id: 1, titre: 'Orlando' });
  expect(refusalOf(await failureOf(call(lireLivre, { params: { id: 2 } })))).toMatchObject({
    code: 'INTROUVABLE',
  });

  await commands.setFrontBehaviour('lostAnswers');
  await commands.takeAsked();
  const deleted = write(supprimerLivre, { params: { id: 1 } });
  await expect
    .poll(async () => (await commands.takeAsked()).filter((one) => one.startsWith('DELETE')).length)
    .toBeGreaterThan(0);
  await commands.setFrontBehaviour('transparent');
  await deleted;
  expect(feedback.undoGroup?.modificationIds).toEqual([2]);
});

/** Waits until the proxy has received a write and has answered it. */
const posted = async () => {
  let posts = 0;
  const isPost = (one: string) => one.startsWith('POST');
  await expect
    .poll(async () => (posts += (await commands.takeAsked()).filter(isPost).length))
    .toBeGreaterThan(0);
};

test('a write cut by the service’s end is done once', async () => {
  await commands.setFrontBehaviour('stopping');
  const written = write(ajouterLivre, { body: orlando });
  await posted();
  await commands.setFrontBehaviour('transparent');
  expect(await written).toMatchObject({ id: 1, titre: 'Orlando' });
});

test('a write that has to wait is reported as slow, and repeated until it is done', async () => {
  const asked = vi.spyOn(globalThis, 'fetch');
  await commands.setFrontBehaviour('busy');
  const written = write(ajouterLivre, { body: orlando });
  await posted();
  await expect.poll(() => slowWrites.travail).toBe('Un import');
  await commands.setFrontBehaviour('transparent');
  expect(await written).toMatchObject({ id: 1, titre: 'Orlando' });
  const posts = asked.mock.calls.flatMap(([request]) =>
    request instanceof Request && request.method === 'POST' ? [request.headers] : [],
  );
  // The server's limit comes before the screen reports a slow write.
  expect(new Set(posts.map((headers) => headers.get('Prefer')))).toEqual(new Set(['wait=4']));
  expect(new Set(posts.map((headers) => headers.get('Idempotency-Key'))).size).toBe(1);
});

test('only a write not yet sent is given up', async () => {
  await commands.setFrontBehaviour('busy');
  const waiting = new AbortController();
  const given = failureOf(write(ajouterLivre, { body: orlando, givenUp: waiting.signal }));
  await posted();
  waiting.abort(new Error('cancelled'));
  expect(await given).toMatchObject({ message: 'cancelled' });

  await commands.setFrontBehaviour('lostAnswers');
  const sent = new AbortController();
  const written = write(ajouterLivre, { body: orlando, givenUp: sent.signal });
  await posted();
  sent.abort();
  await commands.setFrontBehaviour('transparent');
  expect(await written).toMatchObject({ id: 1, titre: 'Orlando' });
});

test('a mistake of ours is reported, not called offline', async () => {
  const fault = vi.spyOn(link, 'fault');
  const failed = vi.spyOn(link, 'failed');
  const broken = { ...orlando, toJSON: () => fail('no body') };
  const asked = [
    exchange(ajouterLivre, { body: broken }),
    // A character that no header may contain.
    exchange(ajouterLivre, { body: orlando, key: 'a\nb' }),
  ];
  for (const one of asked) expect(await failureOf(one)).toMatchObject({ kind: 'unexpected' });
  expect(failed).not.toHaveBeenCalled();
  failed.mockRestore();
  expect(fault).toHaveBeenCalledTimes(2);
  fault.mockRestore();
});

test('an edit whose response is lost can still be undone', async () => {
  const { body: added, revision } = await exchange(ajouterLivre, { body: orlando });
  await commands.setFrontBehaviour('lostAnswers');
  await commands.takeAsked();
  const written = write(modifierLivre, {
    params: { id: added.id },
    body: { ...orlando, annee: 1928 },
    ifMatch: revision,
  });
  await expect
    .poll(async () => (await commands.takeAsked()).filter((one) => one.startsWith('PUT')).length)
    .toBeGreaterThan(0);
  await commands.setFrontBehaviour('transparent');
  expect(await written).toMatchObject({ annee: 1928 });
  const [id = 0] = feedback.undoGroup?.modificationIds ?? [];
  await call(annulerModification, { params: { id } });
  expect(await readFirst()).toMatchObject({ annee: null });
});

/** A write without a reader, sent twice, whose responses were both lost. */
async function lostTwice(): Promise<{ readonly failure: Promise<unknown> }> {
  await commands.setFrontBehaviour('lostAnswers');
  const reader = vi.spyOn(link, 'reader').mockReturnValue(null);
  const failure = failureOf(write(ajouterLivre, { body: orlando }));
  reader.mockRestore();
  let posts = 0;
  const isPost = (one: string) => one.startsWith('POST');
  await expect
    .poll(async () => (posts += (await commands.takeAsked()).filter(isPost).length), {
      // The browser may repeat the first request by itself.
      timeout: 5_000,
    })
    .toBeGreaterThan(1);
  return { failure };
}

test('a write the sign-on then blocks may have been recorded', async () => {
  const { failure } = await lostTwice();
  await commands.setFrontBehaviour('signOnElsewhere');
  const error = await failure;
  expect(error).toMatchObject({ kind: 'sessionExpired' });
  expect(String(error)).toContain('peut-être');
});

test.each(['busy', 'stopping'] as const)(
  'a write the sign-on blocks after « %s » recorded nothing',
  async (first) => {
    await commands.setFrontBehaviour(first);
    const failure = failureOf(write(ajouterLivre, { body: orlando }));
    await posted();
    await commands.setFrontBehaviour('signOnElsewhere');
    const error = await failure;
    expect(error).toMatchObject({ kind: 'sessionExpired' });
    expect(String(error)).not.toContain('peut-être');
  },
);

test('a loan is sent without a reader', async () => {
  const livre = await addLivre('Orlando');
  const fetched = vi.spyOn(globalThis, 'fetch');
  const headersSent = () =>
    fetched.mock.calls.flatMap(([asked]) => (asked instanceof Request ? asked.headers : []));
  const reader = null;
  await exchange(preter, { params: { id: livre }, body: { emprunteur: 'Luc' }, reader });
  await failureOf(exchange(ajouterLivre, { body: { ...orlando, titre: 'Vagues' }, reader }));
  expect(headersSent().map((headers) => headers.get('X-Lecteur'))).toEqual([null, '']);
  fetched.mockRestore();
});

test('a write another reader then blocks may have been recorded', async () => {
  const { failure } = await lostTwice();
  await commands.signIn('bob');
  await commands.setFrontBehaviour('transparent');
  expect(String(await failure)).toContain('peut-être');
});

test('a call given up leaves the connection alone', async () => {
  const failed = vi.spyOn(link, 'failed');
  const controller = new AbortController();
  const asked = call(lireLivre, { params: { id: 1 }, signal: controller.signal });
  controller.abort(new Error('enough'));
  expect(await failureOf(asked)).toMatchObject({ message: 'enough' });
  expect(failed).not.toHaveBeenCalled();
  failed.mockRestore();
});

test('writes of a batch are undone last first, whichever the screen shows first', async () => {
  const { promise: shown, resolve: show } = Promise.withResolvers<undefined>();
  vi.mocked(link.waitForRevision).mockImplementationOnce(() => shown);
  const ids: number[] = [];
  await feedback.batch((batch) =>
    inOrder(['Un', 'Deux'], async (titre, answered) => {
      const body = { ...orlando, titre };
      ids.push((await write(ajouterLivre, { body }, { batch, onAnswer: answered })).id);
      show(undefined);
    }),
  );
  expect(ids).toEqual([2, 1]);
  expect(feedback.undoGroup?.text).toContain('Un');
  const [one = 0, two = 0] = feedback.undoGroup?.modificationIds ?? [];
  expect(one).toBeLessThan(two);
});
