import { describe, expect, it, test } from 'vitest';
import type { FusionSuggestion } from '#shared/auteurs';
import type { Livre } from '#shared/livres';
import { openAuteurHouse } from './support.ts';
import { pullAll } from '../support/replication.ts';

describe('a merge', () => {
  it('keeps the order of every book and doubles nobody', async () => {
    const { livre, fusionner, request } = await openAuteurHouse();
    await livre('Un', 'Fedor Dostoievski');
    await livre('Deux', 'Alice', 'Fiodor Dostoïevski', 'Bruno', 'Fedor Dostoievski');
    await livre('Trois', 'Fedor Dostoievski', 'Bruno', 'Fiodor Dostoïevski', 'Alice');
    expect(await fusionner('Fiodor Dostoïevski', 'Fedor Dostoievski')).toMatchObject({
      nom: 'Fiodor Dostoïevski',
      nombreLivres: 3,
    });
    const livres = await request<Livre[]>(200, 'GET', '/api/livres');
    const covers = livres.map(({ titre, auteurs }) => [titre, ...auteurs.map(({ nom }) => nom)]);
    expect(covers).toEqual([
      ['Deux', 'Alice', 'Fiodor Dostoïevski', 'Bruno'],
      ['Trois', 'Fiodor Dostoïevski', 'Bruno', 'Alice'],
      ['Un', 'Fiodor Dostoïevski'],
    ]);
  });

  it('tells every device which books and authors it changed', async () => {
    const { livre, fusionner, house, id } = await openAuteurHouse();
    const { id: livreId } = await livre('Un', 'Emile Zolla');
    await livre('Deux', 'Émile Zola');
    const absorbed = await id('Emile Zolla');
    const before = await pullAll(house, null);
    await fusionner('Emile Zolla', 'Émile Zola');
    const { changements } = await pullAll(house, null, before);
    expect(changements).toContainEqual(
      expect.objectContaining({ collection: 'auteurs', id: absorbed, document: null }),
    );
    expect(changements.filter(({ collection }) => collection === 'livres')).toMatchObject([
      { id: livreId, document: { auteurs: [{ nom: 'Émile Zola' }] } },
    ]);
  });

  it('takes refusals along, and ends the one between the two', async () => {
    const { livre, fusionner, refuse, suggestions, noms } = await openAuteurHouse();
    for (const nom of ['Anna Ricer', 'Anne Ricer', 'Anny Ricer']) await livre(nom, nom);
    await refuse('Anne Ricer', 'Anna Ricer');
    await refuse('Anna Ricer', 'Anny Ricer');
    expect(await suggestions()).toEqual(['Anne Ricer / Anny Ricer']);
    await fusionner('Anne Ricer', 'Anny Ricer');
    expect(await suggestions()).toEqual([]);
    await fusionner('Anna Ricer', 'Anne Ricer');
    expect(await noms()).toEqual(['Anna Ricer 3']);
    await livre('Encore', 'Anne Ricer');
    expect(await noms()).toEqual(['Anna Ricer 4']);
    expect(await suggestions()).toEqual([]);
  });

  it('keeps only the full form that the initials abbreviate', async () => {
    const { livre, fusionner, noms } = await openAuteurHouse();
    await livre('Un', 'JEAN MARTIN');
    await livre('Deux', 'JACQUES MARTIN');
    await livre('Trois', 'J. Martin');
    await fusionner('J. Martin', 'JEAN MARTIN');
    await livre('Quatre', 'PAUL DURAND');
    await livre('Cinq', 'A. Simon');
    await fusionner('A. Simon', 'PAUL DURAND');
    await livre('Six', 'Jean Martin');
    await livre('Sept', 'Anne Simon');
    expect(await noms()).toEqual(['Anne Simon 3', 'JACQUES MARTIN 1', 'Jean Martin 3']);
  });

  it('needs two different existing authors', async () => {
    const { livre, id, house } = await openAuteurHouse();
    await livre('Un', 'Jules Verne');
    const verne = await id('Jules Verne');
    for (const path of ['/api/auteurs/fusions', '/api/auteurs/refus']) {
      const askFor = async (auteurs: unknown) =>
        (await house.ask(null, 'POST', path, { auteurs })).body;
      for (const auteurs of [[verne, verne], [verne], [verne, 2, 3], ['1', 2], [0, verne], verne])
        expect(await askFor(auteurs)).toMatchObject({ code: 'REQUETE_INVALIDE' });
      expect(await askFor([verne, 99])).toMatchObject({ code: 'INTROUVABLE' });
      expect(await askFor([99, verne])).toMatchObject({ code: 'INTROUVABLE' });
    }
  });
});

describe('suggestions', () => {
  it('come with both authors, ordered by id, and their reason', async () => {
    const { livre, request } = await openAuteurHouse();
    await livre('Un', 'Jeanne Martin');
    await livre('Deux', 'Jean Martin');
    await livre('Trois', 'Martin, J.');
    await livre('Quatre', 'Alexandre Dumas fils');
    await livre('Cinq', 'Alexandre Dumas');
    await livre('Six', 'Jeanne Matrin');
    await livre('Sept', 'Jeanne Martin');
    const list = await request<unknown[]>(200, 'GET', '/api/auteurs/suggestions');
    const abbreviates = (nom: string) =>
      `«\u00a0Martin, J.\u00a0» peut abréger «\u00a0${nom}\u00a0», mais 2 noms conviennent.`;
    expect(list).toMatchObject([
      {
        auteurs: [{ nom: 'Jeanne Martin' }, { nom: 'Jeanne Matrin' }],
        raison: 'Deux lettres voisines sont inversées.',
      },
      {
        auteurs: [{ nom: 'Jeanne Martin', nombreLivres: 2 }, { nom: 'Martin, J.' }],
        raison: abbreviates('Jeanne Martin'),
      },
      {
        auteurs: [{ nom: 'Jean Martin', nombreLivres: 1 }, { nom: 'Martin, J.' }],
        raison: abbreviates('Jean Martin'),
      },
      {
        auteurs: [{ nom: 'Alexandre Dumas fils' }, { nom: 'Alexandre Dumas' }],
        motif: { genre: 'mot', mot: 'fils' },
        raison: 'Les mêmes mots, et un de plus : «\u00a0fils\u00a0».',
      },
    ]);
  });

  it('leave out a pair refused in either order', async () => {
    const { livre, refuse, suggestions } = await openAuteurHouse();
    await livre('Un', 'Jean Martin');
    await livre('Deux', 'Jacques Martin');
    await livre('Trois', 'J. Martin');
    expect(await suggestions()).toEqual(['Jean Martin / J. Martin', 'Jacques Martin / J. Martin']);
    await refuse('J. Martin', 'Jean Martin');
    await refuse('Jean Martin', 'J. Martin');
    expect(await suggestions()).toEqual(['Jacques Martin / J. Martin']);
  });
});

test('the likeliest 500 of many pairs are suggested, while other requests are answered', async () => {
  const { house } = await openAuteurHouse();
  // Names that differ by one letter, and one pair with a title in common.
  const letters = Array.from('abcdefghijklmnopqrst');
  const noms = letters.flatMap((a) => letters.map((b) => `Zora Quilb${a}rand${b}e`));
  house.context.database.write((tx) => {
    for (const [index, nom] of [...noms, 'Ursula Quidam', 'Ursula Quidan'].entries()) {
      const titre = index < noms.length ? `Titre ${String(index)}` : 'En commun';
      tx.run(
        `INSERT INTO Livre (titre, titreNormalise, cleOeuvre, format, typeDocument, dateAjout)
         VALUES (@titre, normaliser(@titre), normaliser(@titre), 'Physique', 'NonPrecise', '2026-01-01T00:00:00.000Z')`,
        { titre },
      );
      tx.run(
        `INSERT INTO Auteur (nom, nomNormalise, cleRegroupement)
         VALUES (@nom, normaliser(@nom), cle_regroupement(@nom))`,
        { nom },
      );
      tx.run(
        `INSERT INTO LivreAuteur (livreId, auteurId, position)
         VALUES ((SELECT max(id) FROM Livre), (SELECT max(id) FROM Auteur), 0)`,
      );
    }
  });
  const { body, headers } = await house.ask('ana', 'GET', '/api/auteurs/suggestions');
  const suggestions = body as FusionSuggestion[];
  expect(suggestions).toHaveLength(500);
  expect(Number(headers.get('x-total-count'))).toBeGreaterThan(1000);
  expect(suggestions[0]?.auteurs.map(({ nom }) => nom)).toEqual(['Ursula Quidam', 'Ursula Quidan']);

  // While the first reader is answered, the others share one computation; each gets reasons in their own language.
  const reasons = await Promise.all(
    ['fr', 'fr', 'en'].map(async (langue) => {
      const answer = await house.ask('ana', 'GET', `/api/auteurs/suggestions?langue=${langue}`);
      return (answer.body as FusionSuggestion[])[0]?.raison;
    }),
  );
  expect(reasons).toEqual([
    'Une seule lettre distingue les deux noms.',
    'Une seule lettre distingue les deux noms.',
    expect.stringMatching(/letter/),
  ]);
});

test('a book added under a merged name gets the remaining author, with a notice', async () => {
  const { house, livre, fusionner, noms, id, request } = await openAuteurHouse();
  await livre('La Vie devant soi', 'Émile Ajar');
  await livre('Gros-Câlin', 'Romain Gary');
  await request(200, 'PUT', `/api/auteurs/${String(await id('Romain Gary'))}`, {
    nom: 'Romain Gary',
  });
  await fusionner('Émile Ajar', 'Romain Gary');
  const saisie = { titre: 'Pseudo', auteurs: ['AJAR, Emile'], format: 'Physique' };
  const { body } = await house.ask('ana', 'POST', '/api/livres', saisie);
  expect(body).toMatchObject({
    auteurs: [{ nom: 'Romain Gary' }],
    auteursReunis: [{ saisi: 'AJAR, Emile', nom: 'Romain Gary' }],
  });
  expect(await noms()).toEqual(['Romain Gary 3']);
  const { auteurs } = await livre('Chien blanc', 'Romain Gary');
  expect(auteurs).toMatchObject([{ nom: 'Romain Gary' }]);
});
