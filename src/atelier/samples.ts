/** A record of no subject. */
export interface Sample {
  readonly id: number;
  readonly titre: string;
  readonly auteur: string;
}

const WORKS = [
  ['Du côté de chez Swann', 'Marcel Proust'],
  ['Les Fleurs du mal', 'Charles Baudelaire'],
  ['Madame Bovary', 'Gustave Flaubert'],
  ['Le Rivage des Syrtes', 'Julien Gracq'],
  ['Le Rouge et le Noir', 'Henri Beyle'],
  ['Le Ventre de Paris', 'Émile Zola'],
] as const;

export const SAMPLES: readonly Sample[] = WORKS.map(([titre, auteur], index) => ({
  id: index + 1,
  titre,
  auteur,
}));

/** The action of a gallery control: does nothing, and never fails. */
export const nothing = (): Promise<void> => Promise.resolve();

/** A title with a word that fits no narrow column. */
export const LONG_WORD = 'À Taumatawhakatangihangakoauauotamatea, en été';
