import { describe, expect, it } from 'vitest';
import { openAuteurHouse } from './support.ts';

describe('a name that comes with a book', () => {
  it('is one author whatever the order, the accents, the case and the Unicode form', async () => {
    const { livre, noms } = await openAuteurHouse();
    await livre('Nana', 'ZOLA, Emile');
    await livre('Germinal', 'Emile Zola');
    await livre('La Bête humaine', 'Émile Zola'.normalize('NFD'));
    await livre('L’Œuvre', 'zola emile');
    expect(await noms()).toEqual(['Émile Zola 4']);
  });

  it('finds the full form that exactly one initials form abbreviates, in either order', async () => {
    const { livre, noms } = await openAuteurHouse();
    await livre('Les Misérables', 'Victor Hugo');
    await livre('Hernani', 'V. Hugo');
    await livre('Vendredi', 'M. Tournier');
    const { auteurs } = await livre('Le Roi des aulnes', 'Michel Tournier');
    await livre('Les Météores', 'Tournier, M.');
    expect(await noms()).toEqual(['Michel Tournier 3', 'Victor Hugo 2']);
    expect(auteurs).toEqual([{ id: 2, nom: 'Michel Tournier' }]);
  });

  it('stays apart where several full forms fit, a refused one included', async () => {
    const { livre, noms, refuse } = await openAuteurHouse();
    await livre('Un', 'Jean Martin');
    await livre('Deux', 'Jacques Martin');
    await livre('Trois', 'J. Martin');
    await refuse('J. Martin', 'Jean Martin');
    await livre('Quatre', 'J. MARTIN');
    expect(await noms()).toEqual(['J. Martin 2', 'Jacques Martin 1', 'Jean Martin 1']);
  });

  it('does not take another full form for the one behind initials', async () => {
    const { livre, noms } = await openAuteurHouse();
    await livre('Un', 'JEAN MARTIN');
    await livre('Deux', 'J. Martin');
    expect(await noms()).toEqual(['J. Martin 2']);
    await livre('Trois', 'Jacques Martin');
    expect(await noms()).toEqual(['J. Martin 2', 'Jacques Martin 1']);
    await livre('Quatre', 'Jean Martin');
    expect(await noms()).toEqual(['Jacques Martin 1', 'Jean Martin 3']);
  });

  it('counts once on a cover that says it twice, in its first place', async () => {
    const { livre, noms } = await openAuteurHouse();
    const { auteurs } = await livre('Un', 'J. Martin', 'Paul Durand', 'Jean Martin', 'Martin Jean');
    expect(auteurs.map(({ nom }) => nom)).toEqual(['Jean Martin', 'Paul Durand']);
    expect(await noms()).toEqual(['Jean Martin 1', 'Paul Durand 1']);
  });

  it('makes two books duplicates under initials as under the full name', async () => {
    const { livre, house, noms } = await openAuteurHouse();
    await livre('Hernani', 'Victor Hugo');
    const saisie = { titre: 'Hernani', format: 'Physique', auteurs: ['V. Hugo', 'Un Autre'] };
    const { status, body } = await house.ask(null, 'POST', '/api/livres', saisie);
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'DOUBLON', similaires: [{ titre: 'Hernani' }] });
    expect(await noms()).toEqual(['Victor Hugo 1']);
  });
});

describe('an author without books', () => {
  it('goes, unless a refusal remembers it', async () => {
    const { livre, noms, refuse, request } = await openAuteurHouse();
    const un = await livre('Un', 'Anne Rice');
    const pair = await livre('Deux', 'Anna Rice');
    const trois = await livre('Trois', 'Paul Durand');
    await refuse('Anna Rice', 'Anne Rice');
    for (const { id } of [un, pair, trois]) await request(204, 'DELETE', `/api/livres/${id}`);
    expect(await noms()).toEqual(['Anna Rice 0', 'Anne Rice 0']);
    await livre('Quatre', 'RICE, Anne');
    expect(await noms()).toEqual(['Anna Rice 0', 'Anne Rice 1']);
  });
});

describe('a name that is changed', () => {
  it('is refused when another has its key, shown or not', async () => {
    const { livre, id, house } = await openAuteurHouse();
    await livre('Un', 'JEAN MARTIN');
    await livre('Deux', 'J. Martin');
    await livre('Trois', 'Jules Verne');
    const rename = async (nom: string) =>
      house.ask(null, 'PUT', `/api/auteurs/${String(await id('Jules Verne'))}`, { nom });
    for (const nom of ['Martin J.', 'Jean Martin'])
      expect((await rename(nom)).body).toMatchObject({
        code: 'AUTEUR_EXISTANT',
        auteur: { nom: 'J. Martin' },
      });
  });

  it('keeps the rule of initials like one that comes with a book', async () => {
    const { livre, id, request, noms } = await openAuteurHouse();
    await livre('Un', 'V. Hugo');
    await livre('Deux', 'Victor Hugot');
    const payload = { nom: 'Victor Hugo' };
    await request(200, 'PUT', `/api/auteurs/${String(await id('Victor Hugot'))}`, payload);
    expect(await noms()).toEqual(['Victor Hugo 2']);
  });

  it('stays the same person under initials that others would fit', async () => {
    const { livre, id, request, noms } = await openAuteurHouse();
    await livre('Un', 'Jean Martin');
    await livre('Deux', 'Jacques Martin');
    const path = `/api/auteurs/${String(await id('Jean Martin'))}`;
    expect(await request(200, 'PUT', path, { nom: 'J. Martin' })).toMatchObject({
      nom: 'J. Martin',
    });
    expect(await noms()).toEqual(['J. Martin 1', 'Jacques Martin 1']);
    await livre('Trois', 'Julie Martin');
    await livre('Quatre', 'Jean Martin');
    expect(await noms()).toEqual(['Jacques Martin 1', 'Jean Martin 2', 'Julie Martin 1']);
  });
});
