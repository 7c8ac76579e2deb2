import type { Emplacement, EmplacementSaisi } from '#shared/emplacements';
import type { Livre } from '#shared/livres';
import type { Answer, House } from './house.ts';

export async function ajouterEmplacement(
  house: House,
  nom: string,
  parentId: number | null = null,
  rest: Partial<EmplacementSaisi> = {},
): Promise<Emplacement> {
  const saisi = { nom, parentId, ...rest };
  const { status, body } = await house.ask(null, 'POST', '/api/emplacements', saisi);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body as Emplacement;
}

/** All locations in tree order, one line each; « - Étagère 3 » is inside the line above with one dash less. */
export async function lines(house: House): Promise<string[]> {
  const all = (await house.ask(null, 'GET', '/api/emplacements')).body as Emplacement[];
  const depth = ({ parentId }: Emplacement): number => {
    const parent = all.find(({ id }) => id === parentId);
    return parent === undefined ? 0 : depth(parent) + 1;
  };
  return all.map((each) => `${'- '.repeat(depth(each))}${each.nom}`);
}

export const makeEmplacement = (
  id: number,
  nom: string,
  rest: Partial<Emplacement> = {},
): Emplacement => ({ id, nom, parentId: null, note: null, rang: id, fermeLe: null, ...rest });

export const modifierEmplacement = (house: House, id: number, body: object): Promise<Answer> =>
  house.ask(null, 'PUT', `/api/emplacements/${String(id)}`, body);

export const supprimerEmplacement = (house: House, id: number): Promise<Answer> =>
  house.ask(null, 'DELETE', `/api/emplacements/${String(id)}`);

/** Puts a book into a location; takes any value, to test refusals. */
export const rangerLivre = (house: House, livreId: number, emplacementId: unknown) =>
  house.ask(null, 'PUT', `/api/livres/${String(livreId)}/emplacement`, { emplacementId });

export const emplacementOf = async (house: House, livreId: number) =>
  ((await house.ask(null, 'GET', `/api/livres/${String(livreId)}`)).body as Livre).emplacementId;

export const annuler = (house: House, { headers }: Answer): Promise<Answer> =>
  house.ask(null, 'POST', `/api/modifications/${headers.get('X-Modification') ?? ''}/annulation`);

export const resumeOf = ({ headers }: Answer): string =>
  decodeURIComponent(headers.get('X-Modification-Resume') ?? '');

export const codeOf = ({ status, body }: Answer): readonly unknown[] => {
  const { code, champs } = body as { code?: string; champs?: { champ: string }[] };
  return [status, code, ...(champs ?? []).map(({ champ }) => champ)];
};
