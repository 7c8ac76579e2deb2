import { expect } from 'vitest';
import type { House } from '../../support/house.ts';
import { furnished } from '../../support/household.ts';

/** Fills an empty household with records of every kind, so that the writes of `acts.ts` interact. */
export async function furnish(house: House): Promise<void> {
  const send = async (who: string | null, method: string, path: string, body?: object) => {
    const { status, body: answer } = await house.ask(who, method, path, body);
    expect(status, `${method} ${path} ${JSON.stringify(answer)}`).toBeLessThan(300);
  };
  for (const [titre, ...auteurs] of [
    ['Sido', 'Colette'],
    ['Chéri', 'Colette', 'Willy'],
    ['Dune, tome 1', 'Ève, Anna'],
    ['Dune, tome 2', 'Ève, Anna', 'Wily'],
    ['L’Atlas', 'Wily'],
    ['Ida', '?'],
    ['Seul'],
    ['Prêté', 'Nord'],
  ])
    await send('ana', 'POST', '/api/livres', { titre, format: 'Physique', auteurs });
  await send('ana', 'POST', '/api/auteurs/refus', { auteurs: [2, 4] });
  await send('ana', 'POST', '/api/livres/1/prets', { emprunteur: 'Luc' });
  await send('ana', 'POST', '/api/prets/1/retour');
  await send('ana', 'POST', '/api/livres/8/prets', { emprunteur: 'Léa' });
  await send('ana', 'PUT', '/api/livres/1/statut', { statut: 1 });
  await send('bob', 'PUT', '/api/livres/1/statut', { statut: 0 });
  await send('ana', 'PUT', '/api/livres/2/statut', { statut: 2 });
  const place = (titre: string, livreId: number | null = null) => ({ titre, livreId });
  const series = [
    { titre: 'Mer', places: [place('Sido', 1), place('Chéri', 2), place('Le Blé'), place('Ida')] },
    { titre: 'Ville', parentId: 1, places: [place('Un', 3), place('Deux', 4), place('Trois')] },
    { titre: 'Île', parentId: 1, places: [place('Atlas', 5), place('Ida', 6)] },
    { titre: 'Nord', parentId: 2, places: [] },
  ];
  for (const serie of series) await send(null, 'POST', '/api/series', serie);
  for (const [nom, parentId] of [
    ['Mer', null],
    ['Ville', 1],
    ['Île', 1],
    ['Mer', 2],
    ['Sud', null],
  ] as const)
    await send(null, 'POST', '/api/emplacements', { nom, parentId });
  for (const [livre, emplacementId] of [
    [1, 2],
    [2, 2],
    [3, 4],
    [5, 1],
  ] as const)
    await send(null, 'PUT', `/api/livres/${livre}/emplacement`, { emplacementId });
  for (const [titre, numero, ...themes] of [
    ['Mer', '1', 'Sud', 'Est'],
    ['Mer', '2', 'Sud'],
    ['Ville', '1', 'Île'],
    ['Nord', '0'],
  ])
    await send('bob', 'POST', '/api/revues/numeros', {
      revue: { titre },
      numero: { numero, themes, articles: ['Un', 'Deux'] },
    });
  await send('ana', 'POST', '/api/places/3/souhait');
  for (const titre of ['Ida', 'Gigi', 'Claudine'])
    await send('ana', 'POST', '/api/souhaits', { titre });
  for (const titre of ['Sido', 'Mitsou', 'Duo'])
    await send('bob', 'POST', '/api/souhaits', { titre });
  for (const [who, nom, partagee] of [
    ['ana', 'Mer', true],
    ['ana', 'Secret ana Nord', false],
    ['ana', 'Secret ana Sud', false],
    ['bob', 'Secret bob Nord', false],
    ['bob', 'Ville', true],
  ] as const)
    await send(who, 'POST', '/api/selections', { nom, criteres: { theme: nom }, partagee });
  await send('ana', 'POST', '/api/selections', { nom: 'Secret ana Est', livres: [2, 1, 3] });
  await send('bob', 'POST', '/api/selections', { nom: 'Été', livres: [1, 2], partagee: true });
  for (const who of ['ana', 'bob'])
    for (const titre of ['Loup', 'Ours', 'Mer'])
      await send(who, 'POST', '/api/souhaits-revues', { titre: `Secret ${who} ${titre}` });
  for (const who of ['ana', 'bob'])
    await send(who, 'POST', '/api/objectifs', { annee: '2026', unite: 'livres', nombre: 24 });
}

/** @param settings environment variables */
export const openFurnishedHouse = furnished(furnish);
