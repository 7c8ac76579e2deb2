import type { RevueSouhaitee, RevueSouhaiteeSaisie } from '#shared/souhaits-revues';
import type { Souhait, SouhaitSaisi } from '#shared/souhaits';
import type { House } from './house.ts';

export const souhaiter = (house: House, utilisateur: string, saisie: Partial<SouhaitSaisi> = {}) =>
  ajouter<Souhait>(house, utilisateur, '/api/souhaits', saisie);

export const souhaiterRevue = (
  house: House,
  utilisateur: string,
  saisie: Partial<RevueSouhaiteeSaisie> = {},
) => ajouter<RevueSouhaitee>(house, utilisateur, '/api/souhaits-revues', saisie);

async function ajouter<T>(house: House, utilisateur: string, path: string, saisie: object) {
  const { status, body } = await house.ask(utilisateur, 'POST', path, {
    titre: 'Un titre',
    ...saisie,
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body as T;
}

/** The wishes as « rank title ». */
export async function rangs(
  house: House,
  utilisateur: string,
  list: 'souhaits' | 'souhaits-revues' = 'souhaits',
): Promise<string[]> {
  const { body } = await house.ask(utilisateur, 'GET', `/api/${list}`);
  return (body as { rang: number; titre: string }[]).map(
    ({ rang, titre }) => `${String(rang)} ${titre}`,
  );
}
