import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  FORMATS,
  listerLivres,
  TYPES_DOCUMENT,
  type Criteres,
  type LivreSaisi,
} from '#shared/livres';
import { call } from '$lib/api/call';
import { bibliotheque } from '$lib/livres.svelte';
import { courante } from '$lib/replica/courante';
import { hasard } from './hasard.ts';
import { ajouter, demenager, emmenager, lire, ouvrir, preterA, rendreLe } from './menage.ts';

const graine = Date.now() % 1_000_000;
const { entier, parmi } = hasard(graine);

/** Words that normalisation, order and cutting each have something to say about. */
const MOTS =
  `l’œuvre Œdipe œuf oeuf coeur cœur élève Élève ÉTÉ ete Garçon garcon naïve Ægypte Straße
  strasse « le » LE Le la L'été d'Urgence 1984 20000 II (tome) [bis] Tolstoï Толстой Война 戦争と平和
  平和 𝔘rwald Λόγος ΛΌΓΟΣ שלום عربي ﬁn fin ½ №5 C++ C#... e\u0301te ñandú Nandu — – / : ; !?`
    .split(/\s+/)
    .filter((mot) => mot !== '');

const phrase = (mots: number) =>
  Array.from({ length: 1 + entier(mots) }, () => parmi(MOTS)).join(' ');

const saisie = (): Partial<LivreSaisi> => ({
  format: parmi(FORMATS),
  typeDocument: parmi(TYPES_DOCUMENT),
  auteurs: Array.from({ length: entier(3) }, () => phrase(2)),
});

/** A criterion left out, or with each of its values. */
const chaque = <K extends keyof Criteres>(nom: K, valeurs: readonly Criteres[K][]): Criteres[] => [
  {},
  ...valeurs.map((valeur) => ({ [nom]: valeur })),
];

const FILTRES = chaque('format', FORMATS).flatMap((format) =>
  chaque('statut', ['0', '1', '2', 'aucun']).flatMap((statut) =>
    chaque('typeDocument', TYPES_DOCUMENT).flatMap((typeDocument) =>
      chaque('disponibilite', ['chezSoi', 'prete']).map((disponibilite) => ({
        ...format,
        ...statut,
        ...typeDocument,
        ...disponibilite,
      })),
    ),
  ),
);

async function memeReponse(criteres: Criteres): Promise<number> {
  const serveur = await call(listerLivres, { query: criteres });
  const appareil = bibliotheque.chercher(criteres);
  expect(
    appareil.map(({ id }) => id),
    JSON.stringify(criteres),
  ).toEqual(serveur.map(({ id }) => id));
  return serveur.length;
}

describe(`the server and the device answer alike (seed ${String(graine)})`, () => {
  beforeAll(async () => {
    await emmenager();
    for (let i = 0; i < 150; i++) {
      const livre = await ajouter(phrase(4), saisie());
      const sort = entier(8);
      if (sort < 3) await lire(livre, parmi([0, 1, 2] as const));
      if (sort === 3 || sort === 4) await preterA(livre, 'Luc').catch(() => undefined);
      if (sort === 5) await preterA(livre, 'Anne').then(rendreLe, () => undefined);
    }
    await ouvrir('alice');
    expect(await courante.tirer()).toBe(true);
  });
  afterAll(demenager);

  test(`every one of the ${String(FILTRES.length)} combinations of filters`, async () => {
    const trouves = new Set<number>();
    for (const filtre of FILTRES) trouves.add(await memeReponse(filtre));
    expect(trouves.size).toBeGreaterThan(10);
  });

  test('random searches, with and without filters', async () => {
    let trouves = 0;
    for (let i = 0; i < 300; i++) {
      const mots = phrase(2);
      const debut = entier(mots.length);
      const recherche = parmi([mots, mots.toUpperCase(), mots.slice(debut, debut + 1 + entier(4))]);
      trouves += await memeReponse({ ...parmi([{}, {}, parmi(FILTRES)]), recherche });
    }
    expect(trouves).toBeGreaterThan(100);
  });
});
