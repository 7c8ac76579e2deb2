import { expect } from 'vitest';
import type { Auteur, SuggestionFusion } from '#shared/auteurs';
import type { Livre } from '#shared/livres';
import { openHouse, type House } from '../support/house.ts';

/** A house whose books and authors a test speaks of by name. */
export async function ouvrirMaison(databasePath?: string) {
  const maison = await openHouse(databasePath);
  return { maison, ...gestes(maison) };
}

function gestes(maison: House) {
  const attendre = async <T>(statut: number, methode: string, chemin: string, corps?: unknown) => {
    const { status, body } = await maison.ask('ana', methode, chemin, corps);
    expect(status, JSON.stringify(body)).toBe(statut);
    // The shapes of answers are held by their own schemas.
    return body as T;
  };
  const auteurs = () => attendre<Auteur[]>(200, 'GET', '/api/auteurs');
  const id = async (nom: string) => {
    const trouve = (await auteurs()).find((auteur) => auteur.nom === nom);
    if (trouve === undefined) throw new Error(`Nobody is called ${nom}`);
    return trouve.id;
  };
  const deux = async (a: string, b: string) => ({ auteurs: [await id(a), await id(b)] });
  return {
    attendre,
    auteurs,
    id,
    /** The names shown, with how many books each has, by name. */
    noms: async () => (await auteurs()).map(({ nom, nombreLivres }) => `${nom} ${nombreLivres}`),
    livre: (titre: string, ...noms: string[]) =>
      attendre<Livre>(201, 'POST', '/api/livres?confirmerDoublon=true', {
        titre,
        format: 'Physique',
        auteurs: noms,
      }),
    fusionner: async (a: string, b: string) =>
      attendre<Auteur>(200, 'POST', '/api/auteurs/fusions', await deux(a, b)),
    refuser: async (a: string, b: string) =>
      attendre<null>(204, 'POST', '/api/auteurs/refus', await deux(a, b)),
    /** The pairs suggested, by the names shown. */
    suggestions: async () =>
      (await attendre<SuggestionFusion[]>(200, 'GET', '/api/auteurs/suggestions')).map(
        ({ auteurs: [a, b] }) => `${a.nom} / ${b.nom}`,
      ),
  };
}
