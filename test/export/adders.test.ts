import { expect, test } from 'vitest';
import { keyOf, openHome, whoReads } from '../identity/support.ts';
import { archiveOf } from './archive.ts';
import { livre } from './records.ts';

test('the person who added an archived book is a member of this household, or named as the archive’s', async () => {
  const home = await openHome();
  const ana = await home.member('Ana');
  const bob = await home.member('Bob');
  const [anas, bobs] = [String(await whoReads(ana)), String(await whoReads(bob))];
  const names = [anas, bobs, 'luc', 'x'.repeat(200), 'cleo (archive)', null];
  const livres = names.map((ajoutePar, index) => livre(index + 1, `Titre ${index}`, { ajoutePar }));
  const Authorization = `Bearer ${await keyOf(ana, true)}`;
  const response = await fetch(`${home.url}/api/importations?essai=false`, {
    method: 'POST',
    headers: { Authorization },
    body: new Uint8Array(archiveOf({ livres })),
  });
  expect(response.status).toBe(201);
  const { body } = await ana.ask('GET', '/api/livres?tri=titre');
  const added = body as { ajoutePar: string | null }[];
  expect(added.map(({ ajoutePar }) => ajoutePar)).toEqual([
    anas,
    bobs,
    'luc (archive)',
    `${'x'.repeat(189)}… (archive)`,
    'cleo (archive)',
    null,
  ]);
});
