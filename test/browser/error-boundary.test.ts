import { createRawSnippet, flushSync, mount, unmount } from 'svelte';
import { expect, onTestFinished, test } from 'vitest';
import { handleError } from '../../src/hooks.client.ts';
import { reportedErrors } from '$lib/sync/report';
import ErrorBoundary from '$lib/ui/ErrorBoundary.svelte';

const places = () => reportedErrors().map(({ where }) => where);

test('a component that cannot be rendered shows an error, is listed in « Diagnostic », and can be retried', () => {
  let isBroken = true;
  const target = document.createElement('div');
  document.body.append(target);
  const children = createRawSnippet(() => {
    if (isBroken) throw new Error('a row without a title');
    return { render: () => '<p>Désert</p>' };
  });
  const part = mount(ErrorBoundary, { target, props: { name: 'the rows', children } });
  onTestFinished(async () => {
    await unmount(part);
    target.remove();
  });
  flushSync();
  expect(target.innerText).toContain('Cette partie n’a pas pu s’afficher.');
  expect(places()).toContain('drawing the rows');
  const retry = target.querySelector('button');
  retry?.click();
  flushSync();
  expect(target.innerText).toContain('Cette partie n’a pas pu s’afficher.');
  isBroken = false;
  target.querySelector('button')?.click();
  flushSync();
  expect(target.innerText).toContain('Désert');
  expect(target.innerText).not.toContain('n’a pas pu');
});

test('a screen that fails to open is listed in « Diagnostic », an unknown address is not', async () => {
  const event = (path: string) => ({
    url: new URL(path, location.origin),
    params: {},
    route: { id: null },
  });
  const failed = { error: new Error('broken'), status: 500, message: 'Internal Error' };
  await handleError({ ...failed, event: event('/prets') });
  await handleError({ ...failed, status: 404, event: event('/nowhere') });
  expect(places()).toContain('opening /prets');
  expect(places()).not.toContain('opening /nowhere');
});
