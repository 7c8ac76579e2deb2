import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ajouterNumero, rechercherNumeros, type NumeroCriteres } from '#shared/numeros';
import { ajouterRevue } from '#shared/revues';
import { themesView } from '$lib/records/themes/view.svelte';
import { numerosView } from '$lib/records/revues/view.svelte';
import { random, RANDOM_TIMEOUT_MS, runs, SEED } from '../support/random.ts';
import { answersTo, elsewhere, moveIn, moveOut, openCopy, untilCurrent } from './household.ts';

const { integer, oneOf } = random(SEED);

/** Words that differ by normalisation, order and splitting. */
const WORDS =
  `l’œuvre Œdipe oeuf élève ÉTÉ ete Garçon naïve Straße « le » 1984 20000 HS (spécial) Tolstoï
  Война 戦争と平和 𝔘rwald Λόγος שלום عربي ﬁn №5 C++ e\u0301te ñandú – / : !?`
    .split(/\s+/)
    .filter((word) => word !== '');

const phrase = (words: number) =>
  Array.from({ length: 1 + integer(words) }, () => oneOf(WORDS)).join(' ');

const maybe = <T>(make: () => T): T | null => (integer(2) === 0 ? null : make());

const listOf = (length: number) => Array.from({ length: integer(length) }, () => phrase(2));

const date = () => {
  const two = (n: number) => String(n).padStart(2, '0');
  const annee = String(1990 + integer(40));
  const monthly = `${annee}-${two(1 + integer(12))}`;
  return oneOf([annee, monthly, `${monthly}-${two(1 + integer(28))}`]);
};

/** Compares both results, and returns the number of issues per query. */
async function expectSame(questions: readonly NumeroCriteres[]): Promise<number[]> {
  const answers = await answersTo(rechercherNumeros, questions);
  expect(answers).toHaveLength(questions.length);
  return answers.map((server, index) => {
    const criteres = questions[index] ?? {};
    expect(numerosView.search(criteres), JSON.stringify(criteres)).toEqual(server);
    return server.length;
  });
}

describe(`issues: the server and the device answer alike (SEED=${String(SEED)})`, () => {
  beforeAll(async () => {
    await moveIn();
    for (let i = 0; i < 8; i++) {
      const revue = await elsewhere(ajouterRevue, { body: { titre: phrase(3) } });
      for (let n = 0; n < 15; n++)
        await elsewhere(ajouterNumero, {
          params: { id: revue.id },
          body: {
            numero: `${phrase(1)} ${String(100 * i + n)}`,
            date: maybe(date),
            une: maybe(() => phrase(5)),
            resume: maybe(() => phrase(8)),
            themes: listOf(3),
            articles: listOf(4),
          },
        });
    }
    openCopy();
    await untilCurrent();
  }, RANDOM_TIMEOUT_MS);
  afterAll(moveOut);

  test('all of them, and each theme in any spelling', async () => {
    expect(await expectSame([{}])).toEqual([120]);
    const themes = themesView.all().map(({ nom }) => nom);
    expect(themes.length).toBeGreaterThan(10);
    const found = await expectSame(themes.map((theme) => ({ theme })));
    expect(Math.min(...found)).toBeGreaterThan(0);
    await expectSame(themes.map((theme) => ({ theme: theme.toUpperCase() })));
  });

  test('random searches, with and without a theme', { timeout: RANDOM_TIMEOUT_MS }, async () => {
    const themes = themesView.all().map(({ nom }) => nom);
    const questions = Array.from({ length: runs(250) }, () => {
      const words = phrase(2);
      const start = integer(words.length);
      const recherche = oneOf([
        words,
        words.toUpperCase(),
        words.slice(start, start + 1 + integer(4)),
      ]);
      const theme = oneOf([{}, {}, { theme: oneOf(themes) }]);
      return { ...theme, recherche };
    });
    const found = await expectSame(questions);
    expect(found.reduce((total, one) => total + one, 0)).toBeGreaterThan(100);
  });
});
