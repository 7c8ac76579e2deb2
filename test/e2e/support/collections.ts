import type { Numero, NumeroSaisi } from '#shared/numeros';
import type { Revue, RevueSaisie } from '#shared/revues';
import type { Serie, SerieSaisie } from '#shared/series';
import type { Household } from './household.ts';

/** Adds a series as another device would. */
export const ajouterSerie = (maison: Household, serie: SerieSaisie): Promise<Serie> =>
  envoyer(maison, 'POST', '/api/series', serie);

export const modifierSerie = (maison: Household, id: number, serie: SerieSaisie): Promise<Serie> =>
  envoyer(maison, 'PUT', `/api/series/${id}`, serie);

export const lireSerie = (maison: Household, id: number): Promise<Serie> =>
  envoyer(maison, 'GET', `/api/series/${id}`);

export const ajouterRevue = (maison: Household, revue: RevueSaisie): Promise<Revue> =>
  envoyer(maison, 'POST', '/api/revues', revue);

export const ajouterNumero = (
  maison: Household,
  revue: Revue,
  numero: NumeroSaisi,
): Promise<Numero> => envoyer(maison, 'POST', `/api/revues/${revue.id}/numeros`, numero);

export const lireNumeros = (maison: Household, revue: Revue): Promise<Numero[]> =>
  envoyer(maison, 'GET', `/api/revues/${revue.id}/numeros`);

async function envoyer<T>(
  maison: Household,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const response = await fetch(maison.url + path, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return (await response.json()) as T;
}
