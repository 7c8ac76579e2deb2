import { describe, expect, it } from 'vitest';
import type { AuteurDocument } from '#shared/auteurs';
import type { Livre, LivreDocument } from '#shared/livres';
import { ouvrirMaison } from './support.ts';

describe('a merge', () => {
  it('keeps the order of every book and doubles nobody', async () => {
    const { livre, fusionner, attendre } = await ouvrirMaison();
    await livre('Un', 'Fedor Dostoievski');
    await livre('Deux', 'Alice', 'Fiodor Dostoïevski', 'Bruno', 'Fedor Dostoievski');
    await livre('Trois', 'Fedor Dostoievski', 'Bruno', 'Fiodor Dostoïevski', 'Alice');
    expect(await fusionner('Fiodor Dostoïevski', 'Fedor Dostoievski')).toMatchObject({
      nom: 'Fiodor Dostoïevski',
      nombreLivres: 3,
    });
    const livres = await attendre<Livre[]>(200, 'GET', '/api/livres');
    const covers = livres.map(({ titre, auteurs }) => [titre, ...auteurs.map(({ nom }) => nom)]);
    expect(covers).toEqual([
      ['Deux', 'Alice', 'Fiodor Dostoïevski', 'Bruno'],
      ['Trois', 'Fiodor Dostoïevski', 'Bruno', 'Alice'],
      ['Un', 'Fiodor Dostoïevski'],
    ]);
  });

  it('reaches every device: the books, the author that stays out, the one that goes', async () => {
    const { livre, fusionner, maison, id } = await ouvrirMaison();
    const { id: livreId } = await livre('Un', 'Emile Zolla');
    await livre('Deux', 'Émile Zola');
    const absorbe = await id('Emile Zolla');
    const { base } = maison.context;
    const depuis = `epoque=${base.epoque}&revision=${String(base.revision())}`;
    await fusionner('Emile Zolla', 'Émile Zola');
    const tirer = async (collection: string) =>
      (await maison.ask(null, 'GET', `/api/replication/${collection}?${depuis}`)).body as {
        documents: (LivreDocument | AuteurDocument)[];
      };
    expect((await tirer('auteurs')).documents).toEqual([{ id: absorbe, _deleted: true }]);
    expect((await tirer('livres')).documents).toMatchObject([
      { id: livreId, auteurs: [{ nom: 'Émile Zola' }] },
    ]);
  });

  it('takes refusals along, and ends the one between the two', async () => {
    const { livre, fusionner, refuser, suggestions, noms } = await ouvrirMaison();
    for (const nom of ['Anna Ricer', 'Anne Ricer', 'Anny Ricer']) await livre(nom, nom);
    await refuser('Anne Ricer', 'Anna Ricer');
    await refuser('Anna Ricer', 'Anny Ricer');
    expect(await suggestions()).toEqual(['Anne Ricer / Anny Ricer']);
    await fusionner('Anne Ricer', 'Anny Ricer');
    expect(await suggestions()).toEqual([]);
    await fusionner('Anna Ricer', 'Anne Ricer');
    expect(await noms()).toEqual(['Anna Ricer 3']);
    await livre('Encore', 'Anne Ricer');
    expect(await suggestions()).toEqual(['Anna Ricer / Anne Ricer']);
  });

  it('wants two different authors who are there', async () => {
    const { livre, id, maison } = await ouvrirMaison();
    await livre('Un', 'Jules Verne');
    const verne = await id('Jules Verne');
    for (const chemin of ['/api/auteurs/fusions', '/api/auteurs/refus']) {
      const demander = async (auteurs: unknown) =>
        (await maison.ask(null, 'POST', chemin, { auteurs })).body;
      for (const auteurs of [[verne, verne], [verne], [verne, 2, 3], ['1', 2], [0, verne], verne])
        expect(await demander(auteurs)).toMatchObject({ code: 'REQUETE_INVALIDE' });
      expect(await demander([verne, 99])).toMatchObject({ code: 'INTROUVABLE' });
      expect(await demander([99, verne])).toMatchObject({ code: 'INTROUVABLE' });
    }
  });
});

describe('suggestions', () => {
  it('come with both authors, the lower id first, and a reason in words', async () => {
    const { livre, attendre } = await ouvrirMaison();
    await livre('Un', 'Jeanne Martin');
    await livre('Deux', 'Jean Martin');
    await livre('Trois', 'Martin, J.');
    await livre('Quatre', 'Alexandre Dumas fils');
    await livre('Cinq', 'Alexandre Dumas');
    await livre('Six', 'Jeanne Matrin');
    await livre('Sept', 'Jeanne Martin');
    const liste = await attendre<unknown[]>(200, 'GET', '/api/auteurs/suggestions');
    const abrege = (nom: string) =>
      `«\u00a0Martin, J.\u00a0» peut abréger «\u00a0${nom}\u00a0», mais 2 noms conviennent.`;
    expect(liste).toMatchObject([
      {
        auteurs: [{ nom: 'Jeanne Martin', nombreLivres: 2 }, { nom: 'Martin, J.' }],
        raison: abrege('Jeanne Martin'),
      },
      {
        auteurs: [{ nom: 'Jeanne Martin' }, { nom: 'Jeanne Matrin' }],
        raison: 'Deux lettres voisines sont inversées.',
      },
      {
        auteurs: [{ nom: 'Jean Martin', nombreLivres: 1 }, { nom: 'Martin, J.' }],
        raison: abrege('Jean Martin'),
      },
      {
        auteurs: [{ nom: 'Alexandre Dumas fils' }, { nom: 'Alexandre Dumas' }],
        raison: 'Les mêmes mots, et un de plus : «\u00a0fils\u00a0».',
      },
    ]);
  });

  it('leave out a refused pair, in whichever order it was refused, and twice over', async () => {
    const { livre, refuser, suggestions } = await ouvrirMaison();
    await livre('Un', 'Jean Martin');
    await livre('Deux', 'Jacques Martin');
    await livre('Trois', 'J. Martin');
    expect(await suggestions()).toEqual(['Jean Martin / J. Martin', 'Jacques Martin / J. Martin']);
    await refuser('J. Martin', 'Jean Martin');
    await refuser('Jean Martin', 'J. Martin');
    expect(await suggestions()).toEqual(['Jacques Martin / J. Martin']);
  });
});
