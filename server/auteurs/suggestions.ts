import { abreviations, type AuteurNomme } from './initiales.ts';
import { paire, type Paire, type Refus } from './refus.ts';
import { aUneLettrePres, aUnMotPres, type Ecart } from './ressemblances.ts';

/** Two authors who may be one, and why, in French. */
export interface Ressemblance {
  readonly paire: Paire;
  readonly raison: string;
}

/**
 * The merges that only a person can decide, the pairs by id (contract.md « Rules made exact »):
 * initials that may stand for a full name, keys one letter apart, one word more, and nothing else.
 * A refused pair is left out.
 */
export function ressemblances(auteurs: readonly AuteurNomme[], refus: Refus): Ressemblance[] {
  const trouvees = new Map<string, Ressemblance>();
  const noter = (a: AuteurNomme, b: AuteurNomme, raison: string) => {
    const deux = paire(a.id, b.id);
    const cle = deux.join(' ');
    if (!refus.a(a.id, b.id) && !trouvees.has(cle)) trouvees.set(cle, { paire: deux, raison });
  };
  for (const { courte, longues } of abreviations(auteurs)) {
    for (const longue of longues)
      noter(courte, longue, parInitiales(courte, longue, longues.length));
  }
  for (const { auteurs: deux, ecart } of aUneLettrePres(auteurs)) noter(...deux, RAISONS[ecart]);
  for (const { court, long, mot } of aUnMotPres(auteurs))
    noter(court, long, `Les mêmes mots, et un de plus : ${citer(mot)}.`);
  return [...trouvees.values()].sort(({ paire: [a, b] }, { paire: [c, d] }) => a - c || b - d);
}

const RAISONS = {
  lettre: 'Une seule lettre distingue les deux noms.',
  inversion: 'Deux lettres voisines sont inversées.',
} as const satisfies Record<Ecart, string>;

function parInitiales(courte: AuteurNomme, longue: AuteurNomme, nombre: number): string {
  const raison = `${citer(courte.nom)} peut abréger ${citer(longue.nom)}`;
  return nombre === 1 ? `${raison}.` : `${raison}, mais ${String(nombre)} noms conviennent.`;
}

const citer = (texte: string) => `«\u00a0${texte}\u00a0»`;
