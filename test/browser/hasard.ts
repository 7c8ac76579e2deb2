/** Chance that comes out the same from the same seed (mulberry32). */
export function hasard(graine: number) {
  let etat = graine;
  const suivant = (): number => {
    etat = (etat + 0x6d2b79f5) | 0;
    let t = Math.imul(etat ^ (etat >>> 15), 1 | etat);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  /** A whole number from 0 to just below `borne`. */
  const entier = (borne: number): number => Math.floor(suivant() * borne);
  function parmi<T>(choix: readonly [T, ...T[]] | readonly T[]): T {
    const choisi = choix[entier(choix.length)];
    if (choisi === undefined) throw new Error('nothing to choose from');
    return choisi;
  }
  return { entier, parmi };
}
