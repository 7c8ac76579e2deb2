import { describe, expect, it } from 'vitest';
import { openAuteurHouse } from './support.ts';

describe('a name that comes with a book', () => {
  it('is one author in any order and case', async () => {
    const { livre, noms } = await openAuteurHouse();
    await livre('Nana', 'ZOLA, Emile');
    await livre('Germinal', 'Emile Zola');
    await livre('La Bête humaine', 'Émile Zola'.normalize('NFD'));
    await livre('L’Œuvre', 'zola emile');
    expect(await noms()).toEqual(['Émile Zola 4']);
  });

  it('leaves the name that a person gave', async () => {
    const { livre, noms, id, request, fusionner } = await openAuteurHouse();
    const rename = async (from: string, nom: string) =>
      request(200, 'PUT', `/api/auteurs/${await id(from)}`, { nom });
    await livre('Un', 'Bell Hooks');
    await rename('Bell Hooks', 'bell hooks');
    expect((await livre('Deux', 'HOOKS, Bell')).auteurs).toMatchObject([{ nom: 'bell hooks' }]);
    await livre('Trois', 'Bell Hooks');
    await livre('Quatre', 'Gloria Watkins');
    await fusionner('Gloria Watkins', 'bell hooks');
    expect(await noms()).toEqual(['bell hooks 4']);
    await rename('bell hooks', 'Bell Hooks');
    expect(await noms()).toEqual(['Bell Hooks 4']);
  });

  it('leaves a given name to an author who is restored', async () => {
    const { livre, noms, id, request, house } = await openAuteurHouse();
    const { id: only } = await livre('Un', 'Cummings, E. E.');
    await request(200, 'PUT', `/api/auteurs/${await id('Cummings, E. E.')}`, {
      nom: 'e. e. cummings',
    });
    await house.ask('ana', 'DELETE', `/api/livres/${only}`);
    await livre('Deux', 'E. E. CUMMINGS');
    await livre('Trois', 'Edward Estlin Cummings');
    expect(await noms()).toEqual(['e. e. cummings 2']);
  });

  it('finds the one full form that its initials abbreviate', async () => {
    const { livre, noms } = await openAuteurHouse();
    await livre('Les Misérables', 'Victor Hugo');
    await livre('Hernani', 'V. Hugo');
    await livre('Vendredi', 'M. Tournier');
    const { auteurs } = await livre('Le Roi des aulnes', 'Michel Tournier');
    await livre('Les Météores', 'Tournier, M.');
    expect(await noms()).toEqual(['Michel Tournier 3', 'Victor Hugo 2']);
    expect(auteurs).toEqual([{ id: 2, nom: 'Michel Tournier' }]);
  });

  it('stays apart where its initials fit several full forms', async () => {
    const { livre, noms, refuse } = await openAuteurHouse();
    await livre('Un', 'Jean Martin');
    await livre('Deux', 'Jacques Martin');
    await livre('Trois', 'J. Martin');
    await refuse('J. Martin', 'Jean Martin');
    await livre('Quatre', 'J. MARTIN');
    expect(await noms()).toEqual(['J. Martin 2', 'Jacques Martin 1', 'Jean Martin 1']);
  });

  it('joins no second full form if its initials are taken', async () => {
    const { livre, noms } = await openAuteurHouse();
    await livre('Un', 'JEAN MARTIN');
    await livre('Deux', 'J. Martin');
    expect(await noms()).toEqual(['J. Martin 2']);
    await livre('Trois', 'Jacques Martin');
    expect(await noms()).toEqual(['J. Martin 2', 'Jacques Martin 1']);
    await livre('Quatre', 'J. Martin');
    await livre('Cinq', 'Martin, J.');
    await livre('Six', 'Jules Martin');
    expect(await noms()).toEqual(['J. Martin 4', 'Jacques Martin 1', 'Jules Martin 1']);
    await livre('Sept', 'Jean Martin');
    expect(await noms()).toEqual(['Jacques Martin 1', 'Jean Martin 5', 'Jules Martin 1']);
  });

  it('knows the fullest of the forms that match initials', async () => {
    const { livre, noms } = await openAuteurHouse();
    await livre('Un', 'JEAN PAUL MARTIN');
    await livre('Deux', 'J. P. Martin');
    await livre('Trois', 'Jean P. Martin');
    await livre('Quatre', 'Jean Pierre Martin');
    await livre('Cinq', 'LUC P. DURAND');
    await livre('Six', 'L. P. Durand');
    await livre('Sept', 'Louis Paul Durand');
    expect(await noms()).toEqual([
      'J. P. Martin 3',
      'Jean Pierre Martin 1',
      'L. P. Durand 2',
      'Louis Paul Durand 1',
    ]);
  });

  it('joins no two initials forms that were declared different people', async () => {
    const { livre, noms, refuse, request } = await openAuteurHouse();
    await livre('Un', 'J. Paul Martin');
    await livre('Deux', 'Jean P. Martin');
    await refuse('J. Paul Martin', 'Jean P. Martin');
    await livre('Trois', 'Jean Paul Martin');
    expect(await noms()).toEqual(['J. Paul Martin 1', 'Jean P. Martin 1', 'Jean Paul Martin 1']);
    const abbreviates = (nom: string) =>
      `«\u00a0${nom}\u00a0» peut abréger «\u00a0Jean Paul Martin\u00a0».`;
    expect(await request(200, 'GET', '/api/auteurs/suggestions')).toMatchObject([
      { raison: abbreviates('J. Paul Martin') },
      { raison: abbreviates('Jean P. Martin') },
    ]);
  });

  it('counts once on a cover that names it twice', async () => {
    const { livre, noms } = await openAuteurHouse();
    const { auteurs } = await livre('Un', 'J. Martin', 'Paul Durand', 'Jean Martin', 'Martin Jean');
    expect(auteurs.map(({ nom }) => nom)).toEqual(['Jean Martin', 'Paul Durand']);
    expect(await noms()).toEqual(['Jean Martin 1', 'Paul Durand 1']);
  });

  it('makes duplicates of two books under initials and full name', async () => {
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

  it('goes once the two of a refusal are one', async () => {
    const { livre, noms, refuse, request, fusionner } = await openAuteurHouse();
    const livres = [await livre('Un', 'Anne Rice'), await livre('Deux', 'Anna Rice')];
    await refuse('Anna Rice', 'Anne Rice');
    for (const { id } of livres) await request(204, 'DELETE', `/api/livres/${id}`);
    expect(await fusionner('Anna Rice', 'Anne Rice')).toMatchObject({ nombreLivres: 0 });
    expect(await noms()).toEqual([]);
  });

  it('is in no suggestion', async () => {
    const { livre, refuse, request, suggestions } = await openAuteurHouse();
    await livre('Un', 'Anny Rice');
    const { id } = await livre('Deux', 'Anna Rice');
    await livre('Trois', 'Anne Rice');
    await livre('Quatre', 'Anni Rice');
    await refuse('Anna Rice', 'Anne Rice');
    await request(204, 'DELETE', `/api/livres/${id}`);
    const expected = ['Anny Rice / Anni Rice', 'Anny Rice / Anne Rice', 'Anne Rice / Anni Rice'];
    expect((await suggestions()).sort()).toEqual(expected.sort());
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

  it('joins the initials form that its new spelling completes', async () => {
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
    expect(await noms()).toEqual(['J. Martin 2', 'Jacques Martin 1', 'Julie Martin 1']);
  });
});
