import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Catalogue } from '#shared/catalogue';
import type { LivreDocument } from '#shared/livres';
import { normaliser } from '#shared/text';
import { livresDuFichier, livresInventes } from './catalogue-livres.ts';

/**
 * The catalogue in memory beside a plain `includes` loop over the same words: searches typed
 * letter by letter over the books of `fichier` (made ones without it), and parts of words in
 * 100,000. Ratios count; the times are this machine's.
 */
export function benchCatalogue(fichier?: string): void {
  mesurer(fichier === undefined ? livresInventes(10_000) : livresDuFichier(fichier));
  mesurer(livresInventes(100_000));
}

function mesurer(livres: LivreDocument[]): void {
  console.log(`\n${livres.length} livres`);
  const avant = memoire();
  const catalogue = new Catalogue();
  dire('chargement', `${duree(() => catalogue.recevoirLivres(livres)).toFixed(1)} ms`);
  dire('mémoire des entrées', mio(memoire() - avant));
  dire(
    'première recherche',
    `${duree(() => catalogue.page({ recherche: 'zz' }, PERSONNE)).toFixed(1)} ms`,
  );
  dire('mémoire, index compris', mio(memoire() - avant));

  const textes = livres.map(({ titreNormalise, auteurs }) =>
    [titreNormalise, ...auteurs.map(({ nom }) => normaliser(nom))].join('\n'),
  );
  const boucle = (recherche: string) => {
    const mots = normaliser(recherche).split(' ');
    return textes.filter((texte) => mots.every((mot) => texte.includes(mot)));
  };
  const requetes = requetesDe(livres);
  const frappes = requetes.flatMap((requete) =>
    Array.from(requete, (_, i) => requete.slice(0, i + 1)),
  );
  comparer(
    'une frappe',
    frappes,
    (frappe) => catalogue.chercher({ recherche: frappe }, PERSONNE),
    boucle,
  );
  comparer(
    'une partie de mot, page de 50',
    requetes.map((requete) => requete.slice(1, 5).trim()),
    (recherche) => catalogue.page({ recherche, limite: 50 }, PERSONNE),
    boucle,
  );
  const [premier] = livres;
  if (premier !== undefined) {
    const un = { ...premier, titre: 'Milieu', titreNormalise: 'milieu' };
    const change = () => {
      catalogue.recevoirLivres([un]);
      catalogue.recevoirLivres([premier]);
    };
    dire(
      'un livre change de titre',
      `${(500 * mediane(Array(200).fill(0), change)).toFixed(0)} µs`,
    );
  }
}

const PERSONNE = new Map<number, never>();

/** What people type: some books' first words, or their author's name. */
function requetesDe(livres: readonly LivreDocument[]): string[] {
  const choisis = livres.filter((_, i) => i % Math.ceil(livres.length / 40) === 0);
  return choisis.map(({ titreNormalise, auteurs }, i) =>
    i % 2 === 0 ? titreNormalise.slice(0, 12) : normaliser(auteurs[0]?.nom ?? 'a').slice(0, 12),
  );
}

function comparer(
  nom: string,
  cas: readonly string[],
  ici: (cas: string) => unknown,
  boucle: (cas: string) => unknown,
): void {
  const [notre, leur] = [mediane(cas, ici), mediane(cas, boucle)];
  dire(nom, `${(1000 * notre).toFixed(0)} µs, ${(notre / leur).toFixed(2)} fois la boucle`);
}

/** The median of seven rounds over all cases, in milliseconds a case. */
function mediane<T>(cas: readonly T[], travail: (cas: T) => unknown): number {
  const tours = Array.from({ length: 7 }, () =>
    duree(() => {
      for (const un of cas) travail(un);
    }),
  ).sort((a, b) => a - b);
  return (tours[3] ?? 0) / cas.length;
}

function duree(travail: () => void): number {
  const debut = performance.now();
  travail();
  return performance.now() - debut;
}

function memoire(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const mio = (octets: number) => `${(octets / 2 ** 20).toFixed(1)} Mio`;

function dire(nom: string, valeur: string): void {
  console.log(`  ${nom.padEnd(32)} ${valeur}`);
}

if (import.meta.main) benchCatalogue(process.argv[2]);
