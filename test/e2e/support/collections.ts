import type { Numero, NumeroSaisi } from '#shared/numeros';
import type { Revue, RevueSaisie } from '#shared/revues';
import type { Serie, SerieSaisie } from '#shared/series';
import type { Emplacement, EmplacementSaisi } from '#shared/emplacements';
import type { Livre } from '#shared/livres';
import type { Household } from './household.ts';

// Series and periodicals, read and written through the API as by another device.

export const ajouterSerie = (house: Household, serie: SerieSaisie): Promise<Serie> =>
  send<Serie>(house, 'POST', '/api/series', serie);

export const modifierSerie = (house: Household, id: number, serie: SerieSaisie): Promise<Serie> =>
  send<Serie>(house, 'PUT', `/api/series/${id}`, serie);

export const supprimerSerie = (house: Household, id: number): Promise<unknown> =>
  send(house, 'DELETE', `/api/series/${id}`);

export const lireSerie = (house: Household, id: number): Promise<Serie> =>
  send<Serie>(house, 'GET', `/api/series/${id}`);

export const listerSeries = (house: Household): Promise<Serie[]> =>
  send<Serie[]>(house, 'GET', '/api/series');

export const ajouterEmplacement = (
  house: Household,
  emplacement: EmplacementSaisi,
): Promise<Emplacement> => send<Emplacement>(house, 'POST', '/api/emplacements', emplacement);

export const supprimerEmplacement = (house: Household, id: number): Promise<unknown> =>
  send(house, 'DELETE', `/api/emplacements/${id}`);

export const listerEmplacements = (house: Household): Promise<Emplacement[]> =>
  send<Emplacement[]>(house, 'GET', '/api/emplacements');

export const rangerLivre = (house: Household, id: number, emplacementId: number): Promise<Livre> =>
  send<Livre>(house, 'PUT', `/api/livres/${id}/emplacement`, { emplacementId });

/** Sets the order of the books in a location. */
export const ordonnerLivres = (
  house: Household,
  id: number,
  ids: readonly number[],
): Promise<unknown> => send(house, 'PUT', `/api/emplacements/${id}/livres`, { ids });

export const ajouterRevue = (house: Household, revue: RevueSaisie): Promise<Revue> =>
  send<Revue>(house, 'POST', '/api/revues', revue);

export const modifierRevue = (house: Household, id: number, revue: RevueSaisie): Promise<Revue> =>
  send<Revue>(house, 'PUT', `/api/revues/${id}`, revue);

export const listerRevues = (house: Household): Promise<Revue[]> =>
  send<Revue[]>(house, 'GET', '/api/revues');

export const ajouterNumero = (
  house: Household,
  revue: Revue,
  numero: NumeroSaisi,
): Promise<Numero> => send<Numero>(house, 'POST', `/api/revues/${revue.id}/numeros`, numero);

export const modifierNumero = (
  house: Household,
  id: number,
  numero: NumeroSaisi,
): Promise<Numero> => send<Numero>(house, 'PUT', `/api/numeros/${id}`, numero);

export const supprimerNumero = (house: Household, id: number): Promise<unknown> =>
  send(house, 'DELETE', `/api/numeros/${id}`);

export const lireNumeros = (house: Household, revue: Revue): Promise<Numero[]> =>
  send<Numero[]>(house, 'GET', `/api/revues/${revue.id}/numeros`);

/** Creates a record of each kind that has its own screen; returns the heading of that screen by its path. */
export async function ajouterEachKind(
  house: Household,
): Promise<{ readonly livre: Livre; readonly paths: Readonly<Record<string, string>> }> {
  const livre = await house.ajouter({
    titre: 'Désert',
    auteurs: ['Le Clézio'],
    themes: ['Voyage'],
  });
  const serie = await ajouterSerie(house, {
    titre: 'Fondation',
    parentId: null,
    nombreTomes: null,
  });
  const revue = await ajouterRevue(house, { titre: 'Géo' });
  const numero = await ajouterNumero(house, revue, { numero: '12' });
  const emplacement = await ajouterEmplacement(house, { nom: 'Salon' });
  const lecture = await house.noter('alice', { titre: 'Regain', debut: '2026-03-01' });
  const selection: { readonly id: number } = await send(house, 'POST', '/api/selections', {
    nom: 'À lire cet été',
    criteres: { statut: '0' },
    partagee: true,
  });
  const paths = {
    [`/livres/${livre.id}`]: 'Désert',
    [`/auteurs/${livre.auteurs[0]?.id ?? 0}`]: 'Le Clézio',
    '/themes/voyage': 'Voyage',
    [`/series/${serie.id}`]: 'Fondation',
    [`/revues/${revue.id}`]: 'Géo',
    [`/revues/${revue.id}/numeros/${numero.id}`]: ', Géo',
    [`/rangement/${emplacement.id}`]: 'Salon',
    [`/lectures/${lecture.id}`]: 'Regain',
    [`/selections/${selection.id}`]: 'À lire cet été',
  };
  return { livre, paths };
}

async function send<T>(house: Household, method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(house.url + path, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return (response.status === 204 ? undefined : await response.json()) as T;
}
