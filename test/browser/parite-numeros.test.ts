import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ajouterNumero, chercherNumeros, type CriteresNumeros } from '#shared/numeros';
import { trouverOuCreerRevue } from '#shared/revues';
import { call } from '$lib/api/call';
import { numeros } from '$lib/numeros.svelte';
import { courante } from '$lib/replica/courante';
import { hasard } from './hasard.ts';
import { ailleurs, demenager, emmenager, ouvrir } from './menage.ts';

const graine = Date.now() % 1_000_000;
const { entier, parmi } = hasard(graine);

/** Words that normalisation, order and cutting each have something to say about. */
const MOTS =
  `l’œuvre Œdipe oeuf élève ÉTÉ ete Garçon naïve Straße « le » 1984 20000 HS (spécial) Tolstoï
  Война 戦争と平和 𝔘rwald Λόγος שלום عربي ﬁn №5 C++ e\u0301te ñandú – / : !?`
    .split(/\s+/)
    .filter((mot) => mot !== '');

const phrase = (mots: number) =>
  Array.from({ length: 1 + entier(mots) }, () => parmi(MOTS)).join(' ');

const peutEtre = <T>(faire: () => T): T | null => (entier(2) === 0 ? null : faire());

const liste = (longueur: number) => Array.from({ length: entier(longueur) }, () => phrase(2));

const date = () => {
  const deux = (n: number) => String(n).padStart(2, '0');
  const annee = String(1990 + entier(40));
  const mois = `${annee}-${deux(1 + entier(12))}`;
  return parmi([annee, mois, `${mois}-${deux(1 + entier(28))}`]);
};

async function memeReponse(criteres: CriteresNumeros): Promise<number> {
  const serveur = await call(chercherNumeros, { query: criteres });
  expect(numeros.chercher(criteres), JSON.stringify(criteres)).toEqual(serveur);
  return serveur.length;
}

describe(`issues: the server and the device answer alike (seed ${String(graine)})`, () => {
  beforeAll(async () => {
    await emmenager();
    for (let i = 0; i < 8; i++) {
      const revue = await ailleurs(trouverOuCreerRevue, { body: { titre: phrase(3) } });
      for (let n = 0; n < 15; n++)
        await ailleurs(ajouterNumero, {
          params: { id: revue.id },
          body: {
            numero: `${phrase(1)} ${String(100 * i + n)}`,
            date: peutEtre(date),
            une: peutEtre(() => phrase(5)),
            resume: peutEtre(() => phrase(8)),
            themes: liste(3),
            articles: liste(4),
          },
        });
    }
    await ouvrir('alice');
    expect(await courante.tirer()).toBe(true);
  });
  afterAll(demenager);

  test('all of them, and each theme in any spelling', async () => {
    expect(await memeReponse({})).toBe(120);
    const themes = numeros.themes.map(({ nom }) => nom);
    expect(themes.length).toBeGreaterThan(10);
    for (const theme of themes) {
      expect(await memeReponse({ theme })).toBeGreaterThan(0);
      await memeReponse({ theme: theme.toUpperCase() });
    }
  });

  test('random searches, with and without a theme', async () => {
    const themes = numeros.themes.map(({ nom }) => nom);
    let trouves = 0;
    for (let i = 0; i < 250; i++) {
      const mots = phrase(2);
      const debut = entier(mots.length);
      const recherche = parmi([mots, mots.toUpperCase(), mots.slice(debut, debut + 1 + entier(4))]);
      const theme = parmi([{}, {}, { theme: parmi(themes) }]);
      trouves += await memeReponse({ ...theme, recherche });
    }
    expect(trouves).toBeGreaterThan(100);
  });
});
