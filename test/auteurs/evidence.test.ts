import { describe, expect, it } from 'vitest';
import { Evidence } from '#server/subjects/auteurs/suggestions';
import { Refus } from '#server/subjects/auteurs/merging';
import { creditsOf, suggestFusions, UNDECIDED } from './support.ts';

/** Books by title, each with the names on its cover. */
type Shelf = Readonly<Record<string, readonly string[]>>;

function household(shelf: Shelf) {
  const noms = [...new Set(Object.values(shelf).flat())];
  const auteurs = noms.map((nom, i) => ({ id: i + 1, nom }));
  const oeuvres = Object.entries(shelf).flatMap(([titre, cover], i) =>
    cover.map((nom) => ({
      auteurId: noms.indexOf(nom) + 1,
      livreId: i + 1,
      cleOeuvre: titre.replace(/ \(.*/, ''),
    })),
  );
  return { auteurs, evidence: new Evidence((id) => creditsOf(oeuvres, id)) };
}

function confidence(shelf: Shelf, a: string, b: string): number {
  const { auteurs, evidence } = household(shelf);
  const named = (nom: string) => auteurs.find((auteur) => auteur.nom === nom) ?? { id: 0, nom };
  expect(evidence.confidence(named(b), named(a))).toBe(evidence.confidence(named(a), named(b)));
  return evidence.confidence(named(a), named(b));
}

const alone = (a: string, b: string) => confidence({ Un: [a], Deux: [b] }, a, b);

/** One name with several books, and one with a single book. */
const known = (a: string, b: string) =>
  confidence({ Un: [a], Deux: [a], Trois: [a], Quatre: [b] }, a, b);

/** Two names with several books each, none in common. */
const apart = (a: string, b: string) =>
  confidence({ Un: [a], Deux: [a], Trois: [b], Quatre: [b] }, a, b);

describe('for a pair speaks', () => {
  it('a shared title, more than a common co-author', () => {
    const title = confidence(
      { Un: ['Léo Tolstoï'], 'Un (bis)': ['Léo Tolsto'] },
      'Léo Tolstoï',
      'Léo Tolsto',
    );
    const cover = confidence({ Un: ['Léo Tolstoï', 'Léo Tolsto'] }, 'Léo Tolstoï', 'Léo Tolsto');
    const colleague = confidence(
      { Un: ['Anne Berg', 'Luc'], Deux: ['Anne Burg', 'Luc'] },
      'Anne Berg',
      'Anne Burg',
    );
    expect(title).toBe(cover);
    expect(title).toBeGreaterThan(colleague);
    expect(colleague).toBeGreaterThan(alone('Iain Banks', 'Iain M. Banks'));
    const busy = { Un: ['Anne Berg', 'Luc'], Deux: ['Anne Burg', 'Luc'] };
    const twice = { ...busy, Trois: ['Anne Berg'], Quatre: ['Anne Burg'] };
    expect(confidence(twice, 'Anne Berg', 'Anne Burg')).toBeLessThan(colleague);
  });

  it.each([
    ['Iain Banks', 'Iain M. Banks'],
    ['Marguerite Yourcenar', 'Marguerite de Yourcenar'],
  ])('an added initial or particle: %s / %s', (a, b) => {
    expect(alone(a, b)).toBeGreaterThan(0);
    expect(apart(a, b)).toBeGreaterThanOrEqual(0);
  });

  it.each([
    ['Gustaf Tenggren', 'Gustav Tenggren'],
    ['Darick Robertson', 'Darick Robertston'],
    ['Amélie Nothomb', 'Amélie Nothom'],
    ['Amélie Nothomb', 'Amélie Nothamb'],
    ['Michel Butor', 'Michel Buttor'],
    ['José García', 'José García García'],
    ['Ursula Le Guin', 'Ursula Kroeber Le Guin'],
    ['Albert Camus', 'Albert Camsu'],
  ])('a name known for one book only: %s / %s', (a, b) => {
    expect(alone(a, b)).toBeGreaterThan(0);
    expect(apart(a, b)).toBeLessThan(0);
  });

  it('a letter more within a word than at its end', () => {
    const within = alone('Michel Butor', 'Michel Buttor');
    expect(within).toBeGreaterThan(alone('Michel Butor', 'Michel Butors'));
  });

  it('a rare spelling beside a known one', () => {
    expect(known('Albert Camus', 'Albert Camu')).toBeGreaterThan(0);
    expect(alone('Albert Camus', 'Albert Camu')).toBeLessThan(0);
    expect(known('Albert Camus', 'Camus')).toBeGreaterThan(0);
    expect(alone('Albert Camus', 'Camus')).toBeLessThan(0);
  });

  it('an initial that only the better known name has', () => {
    expect(known('Philip K. Dick', 'Philip Dick')).toBeGreaterThan(0);
    expect(known('Umberto Eco', 'Umberto G. Eco')).toBeGreaterThan(0);
    expect(alone('Thomas Harris', 'Thomas A. Harris')).toBeGreaterThan(0);
  });
});

describe('against a pair speaks', () => {
  it('an initial beside a common, less known name', () => {
    expect(known('Thomas Harris', 'Thomas A. Harris')).toBeLessThan(0);
    expect(known('Harris, Thomas', 'Thomas A. Harris')).toBeLessThan(0);
    const shelf = { Un: ['Thomas Harris'], Deux: ['Thomas Harris'], 'Un (bis)': ['T. A. Harris'] };
    expect(confidence(shelf, 'Thomas Harris', 'T. A. Harris')).toBeGreaterThan(0);
  });

  it('a given name that begins another family name', () => {
    expect(known('Steve Martin', 'Steve Martini')).toBeLessThan(0);
    expect(known('Julia Robert', 'Julia Roberts')).toBeLessThan(0);
  });

  it('a word more that is no family name before another', () => {
    expect(known('Homer', 'Homer Hickam')).toBeLessThan(0);
    expect(known('Young Kim', 'Chi-Young Kim')).toBeLessThan(0);
  });

  it('a title of signs only, which several books may share', () => {
    const shelf = { ' (!)': ['Ruth Ware'], ' (?)': ['Ruth Ward'] };
    expect(confidence(shelf, 'Ruth Ware', 'Ruth Ward')).toBeLessThan(0);
  });

  it.each([
    ['Alexandre Dumas', 'Alexandre Dumas fils'],
    ['Robert Downey', 'Robert Downey Jr.'],
    ['Rob Thomas', 'Roy Thomas'],
    ['Maria Lombard', 'Marie Lombard'],
    ['Ruth Ware', 'Ruth Ward'],
    ['Georges Perec', 'Georges Péret'],
    ['Joseph Kessel', 'Joseph Kersel'],
    ['Thomas More', 'Thomas Moore'],
    ['Homer', 'Homer Hickam'],
    ['Elizabeth George', 'Elizabeth George Speare'],
    ['Young Kim', 'Chi-Young Kim'],
    ['Stephen R. Covey', 'Stephen M.R. Covey'],
  ])('how names differ: %s / %s', (a, b) => {
    expect(alone(a, b)).toBeLessThan(0);
  });

  it.each([
    ['Alexandre Dumas', 'Alexandre Dumas fils'],
    ['Alexandre Dumas I', 'Alexandre Dumas II'],
  ])('another generation, even with a title in common: %s / %s', (a, b) => {
    expect(confidence({ Un: [a, b] }, a, b)).toBeLessThan(0);
  });

  it('two given names of two languages or two sexes', () => {
    expect(alone('Jean Lombard', 'Juan Lombard')).toBeLessThan(0);
    expect(alone('Martin Lombard', 'Martine Lombard')).toBeLessThan(0);
    expect(alone('Patrice Lombard', 'Lombard Patrick')).toBeLessThan(0);
    expect(alone('Michael Lombard', 'Lombard, Michaell')).toBeGreaterThan(0);
  });
});

describe('suggestions', () => {
  it('come likeliest first where the list is short', () => {
    const { auteurs, evidence } = household({
      Un: ['Ruth Ware'],
      Deux: ['Ruth Ward'],
      Trois: ['Iain Banks'],
      Quatre: ['Iain M. Banks'],
      Vie: ['Léo Tolstoï', 'Léo Tolstoj'],
    });
    const noms = (pairs: ReturnType<typeof suggestFusions>) =>
      pairs.map(({ pair }) => auteurs.find(({ id }) => id === pair[0])?.nom);
    expect(noms(suggestFusions(auteurs, new Refus(), evidence))).toEqual([
      'Léo Tolstoï',
      'Iain Banks',
      'Ruth Ware',
    ]);
  });

  it('come by ascending ids where nothing makes one likelier', () => {
    const auteurs = [
      { id: 1, nom: 'Stendhal' },
      { id: 2, nom: 'Henri Stendhal' },
      { id: 5, nom: 'Guy Maupassant' },
      { id: 11, nom: 'Rudyard Kipling' },
      { id: 23, nom: 'Rudyard Kiplnig' },
      { id: 123, nom: 'Stendahl' },
      { id: 200, nom: 'Guy de Maupassant' },
    ];
    expect(suggestFusions(auteurs, new Refus(), UNDECIDED).map(({ pair }) => pair)).toEqual([
      [1, 2],
      [1, 123],
      [5, 200],
      [11, 23],
    ]);
  });

  it.each([
    ['Michel Butor', 'Michel Buttor'],
    ['Haruki Murakami', 'Haruki Murukami'],
  ])('say that a letter is all that differs: %s / %s', (a, b) => {
    const { auteurs, evidence } = household({ Un: [a], Deux: [b] });
    expect(suggestFusions(auteurs, new Refus(), evidence)).toEqual([
      { pair: [1, 2], motif: { genre: 'lettre' } },
    ]);
  });

  it('leave the unlikely ones out of a long list', () => {
    const shelf: Record<string, string[]> = { Un: ['Ruth Ware'], Deux: ['Ruth Ward'] };
    const letters = Array.from('abcdefghij');
    for (const letter of letters) {
      const nom = `Marguerite ${letter.repeat(3)}berg`;
      shelf[`Avec ${letter}`] = [nom, nom.replace('Marguerite', 'Marguerite M.')];
    }
    const { auteurs, evidence } = household(shelf);
    const unlikely = (some: typeof auteurs) =>
      suggestFusions(some, new Refus(), evidence).some(({ pair }) => pair[0] === 1);
    expect(unlikely(auteurs)).toBe(false);
    expect(unlikely(auteurs.slice(0, -1))).toBe(true);
    // Pairs without evidence are not dropped as unlikely.
    const open = [...auteurs, { id: 98, nom: 'Joan Durand' }, { id: 99, nom: 'J. Durand' }];
    const refused = new Refus([[98, 99]]);
    const undecided = [...open, { id: 100, nom: 'Jude Durand' }];
    expect(suggestFusions(undecided, refused, evidence).at(-1)?.pair).toEqual([99, 100]);
  });

  it('leave out the unlikely ones while the list is long', () => {
    const shelf: Record<string, string[]> = { Un: ['Léo Tolstoï', 'Léo Tolstoj'] };
    for (const letter of 'bcdfghjklmnpqrstvwxz')
      shelf[`Avec ${letter}`] = [`Élise ${letter.repeat(9)}`, `Élise ${letter.repeat(9)} fils`];
    const { auteurs, evidence } = household(shelf);
    const pairsOf = (some: typeof auteurs) =>
      suggestFusions(some, new Refus(), evidence).map(({ pair }) => pair);
    expect(pairsOf(auteurs)).toEqual([[1, 2]]);
    expect(pairsOf(auteurs.slice(2))).toEqual([]);
    expect(pairsOf(auteurs.slice(4))).toHaveLength(19);
  });
});
