import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { feedback } from '$lib/api/feedback.svelte';
import { link } from '$lib/api/link';
import { recolement } from '$lib/emplacements/recolement.svelte';
import { shelving } from '$lib/emplacements/shelving.svelte';
import { Lending, type LendingMode } from '$lib/prets/lending.svelte';
import { ScanList } from '$lib/scanner/scan-list.svelte';
import { connection } from '$lib/sync/connection.svelte';
import { records } from '$lib/sync/records';
import { withAbsentFields } from '#shared/absent-fields';
import { collections } from '#shared/collections';
import type { LivreDocument } from '#shared/livres';
import { PretEcrit } from '#shared/prets';
import type { Change } from '#shared/replication';
import { unsafeCast } from '../../src/lib/api/unsafe-cast.ts';

const ISBN = '9782070408504';

interface Sent {
  readonly path: string;
  readonly key: string | null;
}

/** A replica with one book, or copies of it; the test answers the writes. */
function play(answer: (sent: Sent) => Response | Promise<Response>, copies = 1): Sent[] {
  const sent: Sent[] = [];
  records.setReplica({ isReady: true, isOpening: false, epoch: 'one' });
  for (let id = 1; id <= copies; id++) {
    const livre = { id, titre: 'Désert', format: 'Physique', isbn: ISBN, auteurs: [] };
    const document = withAbsentFields(collections.livres.document, livre);
    records.show([unsafeCast<Change>({ collection: 'livres', id, revision: id, document })]);
  }
  vi.spyOn(connection, 'canWrite', 'get').mockReturnValue(true);
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    const one = {
      path: new URL(request.url).pathname,
      key: request.headers.get('Idempotency-Key'),
    };
    sent.push(one);
    return answer(one);
  });
  return sent;
}

beforeEach(() => {
  link.state = 'online';
  onTestFinished(() => {
    vi.restoreAllMocks();
    shelving.scans.drop(...shelving.scans.items);
    shelving.end();
    recolement.end();
    records.clear();
    feedback.close();
    localStorage.clear();
    sessionStorage.clear();
    link.state = 'online';
  });
});

const SIGN_ON = () => new Response('<title>Connexion</title>', { status: 401 });

const refusal = (code: string, message: string, status: number, details: object = {}) =>
  Response.json({ statusCode: status, code, error: '', message, ...details }, { status });

/** A complete loan: the page refuses responses with missing fields. */
const PRET = () => {
  const pret = withAbsentFields(PretEcrit, { id: 5, emprunteur: 'Luc' });
  return Response.json(pret, { status: 201 });
};

const lendingTo = (emprunteur: string, mode: LendingMode = 'preter'): Lending => {
  const lending = new Lending(mode, () => undefined);
  lending.emprunteur.text = emprunteur;
  lending.scans.resume('alice', 'one');
  return lending;
};

const kindsOf = ({ scans }: Pick<Lending, 'scans'>) =>
  scans.items.map(({ state: { kind } }) => kind);

test('a loan that the service did not decide on waits, over a reload too, and is asked again as it was', async () => {
  let answer = SIGN_ON;
  const sent = play(() => answer());
  const lending = lendingTo('Luc');
  lending.takeCode(ISBN);
  await expect.poll(() => kindsOf(lending)).toEqual(['waiting']);
  link.state = 'online';
  await expect.poll(() => localStorage.getItem(localStorage.key(0) ?? '')).toContain('waits');
  // As after a reload.
  const again = lendingTo('Luc');
  expect(kindsOf(again)).toEqual(['waiting']);
  answer = PRET;
  expect(again.sendWaiting()).toBe(true);
  await expect.poll(() => kindsOf(again)).toEqual(['lent']);
  expect(sent.map(({ path }) => path)).toEqual(['/api/livres/1/prets', '/api/livres/1/prets']);
  expect(sent[0]?.key).toBe(sent[1]?.key);
});

test('a loan to another person than the requested one is a different loan', async () => {
  let answer = SIGN_ON;
  const sent = play(() => answer());
  const lending = lendingTo('Luc');
  lending.takeCode(ISBN);
  await expect.poll(() => kindsOf(lending)).toEqual(['waiting']);
  link.state = 'online';
  answer = PRET;
  lending.emprunteur.text = 'Sophie';
  lending.sendWaiting();
  await expect.poll(() => kindsOf(lending)).toEqual(['lent']);
  expect(sent[0]?.key).not.toBe(sent[1]?.key);
});

test('a refused loan still shows its reason after a reload, in the device’s language, until it is removed', async () => {
  const message = 'Ce livre est déjà prêté à Zoé.';
  play(() =>
    refusal('DEJA_PRETE', 'This book is already lent to Zoé.', 409, { emprunteur: 'Zoé' }),
  );
  const lending = lendingTo('Luc');
  lending.takeCode(ISBN);
  await expect.poll(() => kindsOf(lending)).toEqual(['refused']);
  await expect.poll(() => localStorage.getItem(localStorage.key(0) ?? '')).toContain('DEJA_PRETE');
  const again = lendingTo('Luc');
  expect(again.scans.items[0]?.state).toMatchObject({ kind: 'refused', message });
  again.scans.drop(...again.scans.items);
  expect(kindsOf(lendingTo('Luc'))).toEqual([]);
});

test('a repeated code of a lent book is reported again, and lent once', async () => {
  const sent = play(PRET);
  const lending = lendingTo('Luc');
  lending.takeCode(ISBN);
  await expect.poll(() => kindsOf(lending)).toEqual(['lent']);
  await expect.poll(() => lending.scans.said.text).toBe('');
  lending.takeCode(ISBN);
  await expect.poll(() => lending.scans.said.text).toBe('Désert, prêté à Luc');
  expect(sent).toHaveLength(1);
});

test('the same sentence twice is announced twice', async () => {
  play(PRET);
  const { scans } = lendingTo('Luc');
  scans.say('Ce code n’est pas celui d’un livre');
  await expect.poll(() => scans.said.text).not.toBe('');
  const { said } = scans;
  scans.say('Ce code n’est pas celui d’un livre');
  await expect.poll(() => scans.said).not.toBe(said);
  expect(scans.said).toEqual(said);
});

test('a browser without space for an item warns until the item is removed', () => {
  play(PRET);
  const { scans } = lendingTo('');
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('no room', 'QuotaExceededError');
  });
  const line = scans.take(ISBN, { kind: 'waiting', livre: undefined, pretId: null });
  expect(scans.isKept).toBe(false);
  expect(scans.items).toEqual([line]);
  full.mockRestore();
  scans.change(line, line.state);
  expect(scans.isKept).toBe(true);
  expect(localStorage).toHaveLength(1);
});

test('an unexpected failure is reported, and shown in its row', async () => {
  const scans = new ScanList<{ readonly message: string }, object>({
    name: 'pile',
    sentenceOf: ({ state }) => state.message,
    advance: () => undefined,
    isDone: () => false,
    keep: () => null,
    revive: () => null,
  });
  const line = scans.take(ISBN, { message: '' });
  const failure = await scans.carry(
    line,
    () => Promise.reject(new Error('unforeseen')),
    ({ message }) => ({ message }),
  );
  expect(failure).toMatchObject({ isUndecided: false, refusal: null });
  expect(line.state.message).toBe(failure?.message);
  expect(line.state.message).not.toBe('');
});

const shelved = () => shelving.scans.items.map(({ state: { kind } }) => kind);

test('a book that waits to be put away is one line however often it is read', () => {
  play(PRET);
  vi.spyOn(connection, 'canWrite', 'get').mockReturnValue(false);
  for (let i = 0; i < 3; i++) shelving.scan(ISBN, 3);
  expect(shelved()).toEqual(['unsent']);
  expect(shelving.unsent).toHaveLength(1);
  for (let i = 0; i < 2; i++) shelving.scan('9782948012017', 3);
  expect(shelved()).toEqual(['unknown', 'unsent']);
});

test('a code read several times has one waiting item per copy', () => {
  play(PRET, 2);
  for (let i = 0; i < 3; i++) shelving.scan(ISBN, 3);
  expect(shelved()).toEqual(['choose', 'choose']);
  for (let i = 0; i < 3; i++) shelving.scan(ISBN, null);
  expect(shelved()).toEqual(['unsent', 'unsent', 'choose', 'choose']);
});

test('each book put away is announced, not only the last one', async () => {
  const first = Promise.withResolvers<Response>();
  play(async ({ path }) => {
    const answer = () => Response.json({ id: 1, titre: 'Désert', auteurs: [] });
    return path === '/api/livres/1/emplacement' ? first.promise : answer();
  });
  const said: string[] = [];
  shelving.scan(ISBN, 3);
  shelving.scan('9782948012017', 3);
  await expect.poll(() => shelving.scans.said.text).toContain('9');
  first.resolve(refusal('INTROUVABLE', 'Plus là.', 404));
  await expect
    .poll(() => {
      said.push(shelving.scans.said.text);
      return shelving.scans.said.text;
    })
    .toMatch(/rien à cette adresse/);
  expect(shelved()).toEqual(['unknown', 'failed']);
});

test('a book seen on a shelf can be taken back', async () => {
  play(PRET);
  recolement.resume('alice', 'one', null);
  recolement.begin(3);
  recolement.scan(ISBN);
  recolement.scan('9782948012017');
  expect(recolement.count).toBe(2);
  const [livre] = recolement.outcome.strangers;
  if (livre === undefined) throw new Error('nothing was seen');
  recolement.takeBack(livre);
  recolement.takeCodeBack('9782948012017');
  expect(recolement.count).toBe(0);
  await expect.poll(() => recolement.scans.said.text).toMatch(/^Plus compté\s: 9782948012017$/);
  // A removed code is handled as if scanned for the first time.
  recolement.scan(ISBN);
  expect(recolement.count).toBe(1);
});

test('a book with another location is reported, with that location', async () => {
  play(PRET);
  const { livres, emplacements } = collections;
  const couloir = { id: 4, nom: 'Couloir', parentId: null, rang: 2 };
  const livre = { id: 1, titre: 'Antigone', format: 'Physique', isbn: ISBN, auteurs: [] };
  const show = (collection: string, document: object, revision: number) =>
    records.show([unsafeCast<Change>({ collection, revision, document, ...document })]);
  show('emplacements', withAbsentFields(emplacements.document, couloir), 10);
  recolement.resume('alice', 'one', null);
  recolement.begin(3);
  for (const [emplacementId, place] of [
    [null, 'sans emplacement'],
    [4, 'sa place\u00a0: Couloir'],
  ] as const) {
    const document = withAbsentFields(livres.document, { ...livre, emplacementId });
    show('livres', document, 11 + Number(emplacementId));
    recolement.see(unsafeCast<LivreDocument>(document));
    await expect
      .poll(() => recolement.scans.said.text)
      .toBe(`Antigone\u00a0: pas attendu ici\u202f; ${place}`);
  }
});
