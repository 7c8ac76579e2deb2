import type { Livre, LivreSaisi } from '#shared/livres';
import type { House } from './house.ts';

/** Adds a book, its likeness to others confirmed, and gives back what the service answers. */
export async function ajouterLivre(
  house: House,
  saisie: Partial<LivreSaisi> = {},
  utilisateur: string | null = null,
): Promise<Livre> {
  const livre = { titre: 'Un titre', format: 'Physique', ...saisie };
  const { status, body } = await house.ask(
    utilisateur,
    'POST',
    '/api/livres?confirmerDoublon=true',
    livre,
  );
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body as Livre;
}
