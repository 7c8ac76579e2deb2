import { createRawSnippet, mount, unmount } from 'svelte';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import ErrorBoundary from '$lib/ui/ErrorBoundary.svelte';
import { ImportationSession } from '$lib/importations/session.svelte';
import type { Importation } from '#shared/importations';

afterEach(() => void vi.restoreAllMocks());

/** An import session with the lifetime of a component. */
function openSession(): ImportationSession {
  const sessions: ImportationSession[] = [];
  const children = createRawSnippet(() => {
    sessions.push(new ImportationSession());
    return { render: () => '<p></p>' };
  });
  const part = mount(ErrorBoundary, {
    target: document.body,
    props: { name: 'the import', children },
  });
  onTestFinished(() => unmount(part));
  const [session] = sessions;
  if (session === undefined) throw new Error('the component shows nothing');
  return session;
}

/** Responses to the reading of imports, which the test resolves. */
function answersByHand() {
  const waiting = new Map<string, (answer: Response) => void>();
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const request = new Request(input, init);
    return new Promise((resolve, reject) => {
      waiting.set(new URL(request.url).pathname, resolve);
      request.signal.addEventListener('abort', () => reject(new Error('left')));
    });
  });
  return {
    asked: () => [...waiting.keys()],
    answer: (id: number) =>
      waiting.get(`/api/importations/${id}`)?.(Response.json(importation(id))),
  };
}

const importation = (id: number): Importation => ({
  id,
  nom: `liste-${id}.csv`,
  format: 'goodreads',
  programme: 'Goodreads',
  date: '2026-01-01T00:00:00.000Z',
  etat: 'faite',
  colonnes: null,
  entetes: [],
  exemples: [],
  encodage: 'utf-8',
  encodagePar: 'octets',
  encodageExemples: [],
  ordreDesNoms: { ordre: 'nomPrenom', exemples: [] },
  questions: {},
  lignes: 1,
  nouveaux: 1,
  presents: 0,
  completes: 0,
  souhaits: 0,
  series: 0,
  statuts: 0,
  lectures: 0,
  datesDeLecture: 0,
  notes: 0,
  prets: 0,
  enRecherche: 0,
  themes: [],
  perdus: [],
  refuses: [],
  nombreRefuses: 0,
  raisons: [],
  avertissements: [],
  nombreAvertissements: 0,
});

test('an import that is opened while another still loads comes', async () => {
  const server = answersByHand();
  const session = openSession();
  const first = new AbortController();
  const opened = [session.open(1, first.signal)];
  await expect.poll(server.asked).toEqual(['/api/importations/1']);
  first.abort();
  opened.push(session.open(2, new AbortController().signal));
  await expect.poll(server.asked).toContain('/api/importations/2');
  server.answer(2);
  await Promise.all(opened);
  expect(session.importation?.id).toBe(2);
  expect(session.opening.error).toBeNull();
});

test('an import that comes after another was opened is not shown', async () => {
  const server = answersByHand();
  const session = openSession();
  const opened = [1, 2].map((id) => session.open(id, new AbortController().signal));
  await expect.poll(server.asked).toEqual(['/api/importations/1']);
  server.answer(1);
  await expect.poll(server.asked).toContain('/api/importations/2');
  server.answer(2);
  await Promise.all(opened);
  expect(session.importation?.id).toBe(2);
});
