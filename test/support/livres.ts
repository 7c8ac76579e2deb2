import {
  LIVRE_TEXTS,
  type Livre,
  type LivreDocument,
  type LivreSaisiEnSerie,
} from '#shared/livres';
import { mapObject } from '#shared/object-keys';
import { normaliser } from '#shared/text';
import type { House } from './house.ts';

export async function ajouterLivre(
  house: House,
  saisie: Partial<LivreSaisiEnSerie> = {},
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

export const makeLivre = (
  id: number,
  titre: string,
  rest: Partial<LivreDocument> = {},
): LivreDocument => ({
  id,
  titre,
  titreNormalise: normaliser(titre),
  auteurs: [],
  isbn: null,
  isbnAffiche: null,
  format: 'Physique',
  typeDocument: 'NonPrecise',
  nombrePages: null,
  coverUrl: null,
  couverture: null,
  ...mapObject(LIVRE_TEXTS, () => null),
  annee: null,
  themes: [],
  details: [],
  emprunteA: null,
  emplacementId: null,
  rang: null,
  ajoutePar: null,
  dateAjout: '2026-01-01T00:00:00.000Z',
  ...rest,
});
