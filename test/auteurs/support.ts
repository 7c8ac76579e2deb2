import { expect } from 'vitest';
import type { Auteur, FusionSuggestion } from '#shared/auteurs';
import type { Livre } from '#shared/livres';
import {
  suggestFusions as suggestInSteps,
  type AuteurCredits,
} from '#server/subjects/auteurs/suggestions';
import { openHouse, type House } from '../support/house.ts';

/** Computes the suggestions in one go. */
export function suggestFusions(...args: Parameters<typeof suggestInSteps>) {
  const steps = suggestInSteps(...args);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value.suggestions;
  }
}

interface AuteurOeuvre {
  readonly auteurId: number;
  readonly livreId: number;
  readonly cleOeuvre: string;
}

/** The evidence that the books give about an author. */
export function creditsOf(oeuvres: readonly AuteurOeuvre[], id: number): AuteurCredits {
  const own = oeuvres.filter(({ auteurId }) => auteurId === id);
  const livres = new Set(own.map(({ livreId }) => livreId));
  const named = oeuvres.filter(({ livreId }) => livres.has(livreId));
  return {
    nombreLivres: livres.size,
    oeuvres: new Set(own.map(({ cleOeuvre }) => cleOeuvre).filter((cle) => cle !== '')),
    others: new Set(named.flatMap(({ auteurId }) => (auteurId === id ? [] : [String(auteurId)]))),
  };
}

/** Evidence neither for nor against any pair. */
export const UNDECIDED = { confidence: () => 0 };

/** A household whose books and authors a test refers to by name. */
export async function openAuteurHouse(databasePath?: string) {
  const house = await openHouse(databasePath);
  return { house, ...actions(house) };
}

function actions(house: House) {
  const request = async <T>(
    expectedStatus: number,
    method: string,
    path: string,
    payload?: unknown,
  ) => {
    const { status, body } = await house.ask('ana', method, path, payload);
    expect(status, JSON.stringify(body)).toBe(expectedStatus);
    // Each endpoint's schema validates its response.
    return body as T;
  };
  const auteurs = () => request<Auteur[]>(200, 'GET', '/api/auteurs');
  const id = async (nom: string) => {
    const found = (await auteurs()).find((auteur) => auteur.nom === nom);
    if (found === undefined) throw new Error(`Nobody is called ${nom}`);
    return found.id;
  };
  const pair = async (a: string, b: string) => ({ auteurs: [await id(a), await id(b)] });
  return {
    request,
    auteurs,
    id,
    /** The displayed names with their number of books, by name. */
    noms: async () => (await auteurs()).map(({ nom, nombreLivres }) => `${nom} ${nombreLivres}`),
    livre: (titre: string, ...noms: string[]) =>
      request<Livre>(201, 'POST', '/api/livres?confirmerDoublon=true', {
        titre,
        format: 'Physique',
        auteurs: noms,
      }),
    fusionner: async (a: string, b: string) =>
      request<Auteur>(200, 'POST', '/api/auteurs/fusions', await pair(a, b)),
    refuse: async (a: string, b: string) =>
      request<null>(204, 'POST', '/api/auteurs/refus', await pair(a, b)),
    /** The suggested pairs, by displayed names. */
    suggestions: async () =>
      (await request<FusionSuggestion[]>(200, 'GET', '/api/auteurs/suggestions')).map(
        ({ auteurs: [a, b] }) => `${a.nom} / ${b.nom}`,
      ),
  };
}
