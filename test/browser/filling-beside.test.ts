import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { lireLivre, modifierLivre } from '#shared/livres';
import { filling } from '$lib/complements/filling.svelte';
import { codeTitled, livresView } from '$lib/records/livres/view.svelte';
import { connection } from '$lib/sync/connection.svelte';
import { addLivre, elsewhere, moveIn, moveOut, openCopy, untilCurrent } from './household.ts';

const ISBN = '9782070374298';
const EDITION = { titre: 'Désert', auteurs: ['Un catalogue'], source: 'bnf', sources: ['bnf'] };

beforeAll(async () => {
  await moveIn();
  openCopy();
});
afterAll(moveOut);

/** A book on the screen whose title is its code. */
async function codeTitledLivre(): Promise<number> {
  const id = await addLivre(ISBN, { isbn: ISBN });
  await untilCurrent();
  await expect.poll(() => codeTitled().map((livre) => livre.id)).toEqual([id]);
  return id;
}

type Work = () => Promise<unknown>;

/** Makes the catalogues know the code, and runs work before their response or before the first write. */
function between({ lookUp, write }: Partial<Record<'lookUp' | 'write', Work>>): string[] {
  const asked: string[] = [];
  const { fetch } = globalThis;
  let isWritten = false;
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const { method, url } = input instanceof Request ? input : new Request(input, init);
    asked.push(url);
    if (url.endsWith(`/recherche-isbn/${ISBN}`)) {
      await lookUp?.();
      const sources = [{ nom: 'bnf', etat: 'ok' }];
      const candidats = [{ ...EDITION, isbn: ISBN }];
      return Response.json({ type: 'livre', isbn: ISBN, candidats, sources });
    }
    if (method !== 'GET' && !isWritten) {
      isWritten = true;
      await write?.();
    }
    return fetch(input, init);
  });
  onTestFinished(() => spy.mockRestore());
  return asked;
}

const read = (id: number) => elsewhere(lireLivre, { params: { id } });

/** Edits a book as another device. */
const edit = (id: number, texts: { titre: string; auteurs: string[]; themes: string[] }) =>
  elsewhere(modifierLivre, {
    params: { id },
    body: { format: 'Physique', isbn: ISBN, emprunteA: { nom: 'Zoé' }, ...texts },
  });

/** Before a write the copy need not have the edit yet: the server compares them. */
const untilShown = (moment: 'lookUp' | 'write', isShown: () => boolean) =>
  expect.poll(() => moment === 'write' || isShown()).toBe(true);

test.each(['lookUp', 'write'] as const)(
  'a title that a person writes before the %s of a filling is done stays, with all else',
  async (moment) => {
    const id = await codeTitledLivre();
    between({
      async [moment]() {
        await edit(id, { titre: 'Corrigé', auteurs: ['Une personne'], themes: ['mer'] });
        await untilShown(moment, () => livresView.get(id)?.titre === 'Corrigé');
      },
    });
    await filling().run();
    const livre = await read(id);
    expect(livre).toMatchObject({ titre: 'Corrigé', themes: ['mer'], emprunteA: { nom: 'Zoé' } });
    expect(livre.auteurs.map(({ nom }) => nom)).toEqual(['Une personne']);
    expect(filling().filled.map(({ livreId }) => livreId)).not.toContain(id);
  },
);

test.each(['lookUp', 'write'] as const)(
  'a person’s input beside the code, before the %s of a filling is done, stays beside its title',
  async (moment) => {
    const id = await codeTitledLivre();
    between({
      async [moment]() {
        await edit(id, { titre: ISBN, auteurs: ['Une personne'], themes: ['mer'] });
        await untilShown(moment, () => livresView.get(id)?.auteurs.length === 1);
      },
    });
    await filling().run();
    const livre = await read(id);
    expect(livre).toMatchObject({ titre: 'Désert', themes: ['mer'], emprunteA: { nom: 'Zoé' } });
    expect(livre.auteurs.map(({ nom }) => nom)).toEqual(['Une personne']);
    expect(filling().filled.map(({ livreId }) => livreId)).toContain(id);
  },
);

test('only the leading tab fills', async () => {
  await codeTitledLivre();
  const leads = vi.spyOn(connection, 'isLeader', 'get').mockReturnValue(false);
  onTestFinished(() => leads.mockRestore());
  const asked = between({});
  await filling().run();
  expect(asked.filter((url) => url.includes('recherche-isbn'))).toEqual([]);
  leads.mockReturnValue(true);
  await filling().run();
  expect(asked.filter((url) => url.includes('recherche-isbn'))).toHaveLength(1);
});
