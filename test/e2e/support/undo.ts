import type { Page } from 'playwright';
import { ajouterNumero, ajouterRevue, ajouterSerie } from './collections.ts';
import { household, type Household } from './household.ts';

/** Everything that readers can read in the household. */
export async function stateOf(house: Household): Promise<unknown> {
  const read = async (path: string): Promise<unknown> => {
    const response = await fetch(house.url + path, { headers: { SSO_USER: 'alice' } });
    return response.json();
  };
  const livres = (await read('/api/livres')) as { id: number }[];
  const revues = (await read('/api/revues')) as { id: number }[];
  const lists = ['auteurs', 'auteurs/suggestions', 'series', 'souhaits', 'souhaits-revues'].map(
    (name) => `/api/${name}`,
  );
  const paths = [
    ...lists,
    ...livres.map(({ id }) => `/api/livres/${String(id)}`),
    ...revues.map(({ id }) => `/api/revues/${String(id)}/numeros`),
  ];
  return { livres, revues, others: await Promise.all(paths.map(read)) };
}

export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).first().click();

/** A household with a record of each kind; `path` has their addresses. */
export async function fullHouse() {
  const house = await household();
  const dune = await house.ajouter({ titre: 'Dune', auteurs: ['Frank Herbert'] });
  const lent = await house.ajouter({ titre: 'Sido', auteurs: ['Sidonie Gabrielle'] });
  await house.ajouter({ titre: 'Gigi', auteurs: ['Sidonie Gabriele'] });
  await house.preter(lent, 'Luc');
  await house.setStatut(dune, 'bruno', 2);
  const serie = await ajouterSerie(house, {
    titre: 'Le cycle de Dune',
    places: [{ titre: 'Dune', livreId: dune.id }, { titre: 'Le Messie de Dune' }],
  });
  const revue = await ajouterRevue(house, { titre: 'La Hulotte' });
  const numero = await ajouterNumero(house, revue, { numero: '112', themes: ['lierre'] });
  for (const titre of ['Regain', 'Colline']) await house.souhaiter('alice', { titre });
  for (const titre of ['XXI', 'Papiers']) await house.souhaiterRevue('alice', { titre });
  const path = {
    dune: `/livres/${String(dune.id)}`,
    lent: `/livres/${String(lent.id)}`,
    serie: `/series/${String(serie.id)}`,
    revue: `/revues/${String(revue.id)}`,
    numero: `/revues/${String(revue.id)}/numeros/${String(numero.id)}`,
    auteurs: '/auteurs',
    prets: '/prets',
    souhaits: '/souhaits',
    catalogue: '/',
  };
  return { house, path };
}

export type Paths = Awaited<ReturnType<typeof fullHouse>>['path'];

/** Submits a form by « Enregistrer », or by « Ajouter » for a new book. */
export const save = (page: Page): Promise<void> =>
  page
    .getByRole('button', { name: /^(?:Enregistrer|Ajouter)$/ })
    .first()
    .click();
