import type { Numero, NumeroSaisi } from '#shared/numeros';
import type { Revue, RevueSaisie } from '#shared/revues';
import type { House } from './house.ts';

export const ajouterRevue = (house: House, saisie: Partial<RevueSaisie> = {}): Promise<Revue> =>
  send(house, '/api/revues', { titre: 'Une revue', ...saisie });

export const ajouterNumero = (
  house: House,
  revueId: number,
  saisie: Partial<NumeroSaisi> = {},
): Promise<Numero> =>
  send(house, `/api/revues/${String(revueId)}/numeros`, { numero: '1', ...saisie });

async function send<T>(house: House, path: string, saisie: object): Promise<T> {
  const { status, body } = await house.ask(null, 'POST', path, saisie);
  if (status > 201) throw new Error(JSON.stringify(body));
  return body as T;
}

export async function themes(house: House): Promise<string[]> {
  const { body } = await house.ask(null, 'GET', '/api/themes');
  return (body as { nom: string }[]).map(({ nom }) => nom);
}

export const makeNumero = (id: number, numero: string, rest: Partial<Numero> = {}): Numero => ({
  id,
  revueId: 1,
  numero,
  date: null,
  coverUrl: null,
  couverture: null,
  une: null,
  resume: null,
  themes: [],
  articles: [],
  ...rest,
});
