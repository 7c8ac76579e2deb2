import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  FORMATS,
  listerLivres,
  TYPES_DOCUMENT,
  type Criteres,
  type Order,
  type LivreSaisiEnSerie,
} from '#shared/livres';
import { isbn10Of } from '#shared/isbn';
import { formatIsbn } from '#shared/isbn-format';
import { TRIS } from '#shared/sort';
import { ajouterEmplacement } from '#shared/emplacements';
import { importer, listerImportationLignes } from '#shared/importations';
import { imported } from '$lib/records/livres/imported.svelte';
import { livresView } from '$lib/records/livres/view.svelte';
import { random, RANDOM_TIMEOUT_MS, runs, SEED } from '../support/random.ts';
import {
  addLivre,
  answersTo,
  elsewhere,
  giveBack,
  lendTo,
  moveIn,
  moveOut,
  openCopy,
  setStatut,
  untilCurrent,
} from './household.ts';

const { integer, oneOf } = random(SEED);

/** Words that differ by normalisation, order and splitting. */
const WORDS =
  `l’œuvre Œdipe œuf oeuf coeur cœur élève Élève ÉTÉ ete Garçon garcon naïve Ægypte Straße
  strasse « le » LE Le la L'été d'Urgence 1984 20000 II (tome) [bis] Tolstoï Толстой Война 戦争と平和
  平和 𝔘rwald Λόγος ΛΌΓΟΣ שלום عربي ﬁn fin ½ №5 C++ C#... e\u0301te ñandú Nandu — – / : ; !?`
    .split(/\s+/)
    .filter((word) => word !== '');

const phrase = (words: number) =>
  Array.from({ length: 1 + integer(words) }, () => oneOf(WORDS)).join(' ');

/** Repeated codes: a household may own several copies. */
const ISBNS = [
  '9782070360024',
  '9782070408504',
  '9791034735716',
  '9782253140870',
  '9782948012017',
] as const;

/** A code as people type it: plain, or with hyphens or blanks; with 13 or 10 characters. */
const typedCode = (): string => {
  const isbn = oneOf(ISBNS);
  const text = oneOf([formatIsbn(isbn), isbn10Of(isbn) ?? isbn, isbn]);
  return oneOf([text, text.replaceAll('-', ' '), ` ${text}`]);
};

const saisie = (): Partial<LivreSaisiEnSerie> => ({
  emplacementId: oneOf([null, 1, 2, 3, 4]),
  isbn: oneOf([null, null, oneOf(ISBNS)]),
  format: oneOf(FORMATS),
  typeDocument: oneOf(TYPES_DOCUMENT),
  auteurs: Array.from({ length: integer(3) }, () => phrase(2)),
  editeur: oneOf([null, 'Gallimard', 'GALLIMARD', 'Seuil']),
  themes: oneOf([[], ['Été'], ['ete', 'Λόγος'], ['C++']]),
  details: oneOf([
    [],
    [{ nom: oneOf(['Langue', 'LANGUE']), valeur: oneOf(['français', 'Λόγος']) }],
    [
      { nom: 'Œuvre : titre', valeur: phrase(3) },
      { nom: 'Résumé', valeur: phrase(40) },
    ],
  ]),
});

/** A criterion: omitted, and with each of its values. */
const eachOf = <K extends keyof Criteres>(nom: K, values: readonly Criteres[K][]): Criteres[] => [
  {},
  ...values.map((value) => ({ [nom]: value })),
];

/** Criteria on missing fields, and on the publisher. */
const OTHERS: readonly Criteres[] = [
  {},
  { sans: 'serie' },
  { sans: 'isbn,couverture' },
  { editeur: 'gallimard' },
  { emplacement: '1' },
  { detail: 'langue : FRANCAIS' },
  { detail: 'Résumé' },
  { appartenance: 'emprunte' },
  { appartenance: 'aNous' },
  { emplacement: 'aucun' },
];

const FILTERS = eachOf('format', FORMATS).flatMap((format) =>
  eachOf('statut', ['0', '1', '2', 'aucun', '2,aucun']).flatMap((statut) =>
    eachOf('typeDocument', TYPES_DOCUMENT).flatMap((typeDocument) =>
      eachOf('disponibilite', ['chezSoi', 'prete']).flatMap((disponibilite) =>
        OTHERS.map((others) => ({
          ...format,
          ...statut,
          ...typeDocument,
          ...disponibilite,
          ...others,
        })),
      ),
    ),
  ),
);

/** Compares both results, and returns the number of books per query. */
async function expectSame(questions: readonly (Criteres & Order)[]): Promise<number[]> {
  const answers = await answersTo(listerLivres, questions);
  expect(answers).toHaveLength(questions.length);
  return answers.map((server, index) => {
    const criteres = questions[index] ?? {};
    expect(
      livresView.search(criteres).map(({ id }) => id),
      JSON.stringify(criteres),
    ).toEqual(server.map(({ id }) => id));
    return server.length;
  });
}

describe(`the server and the device answer alike (SEED=${String(SEED)})`, () => {
  beforeAll(async () => {
    await moveIn();
    for (const [nom, parentId] of [
      ['Salon', null],
      ['Étagère', 1],
      ['Cave', null],
      ['Carton', 2],
    ] as const)
      await elsewhere(ajouterEmplacement, { body: { nom, parentId } });
    for (let i = 0; i < 150; i++) {
      const livre = await addLivre(phrase(4), saisie());
      const fate = integer(8);
      if (fate < 3) await setStatut(livre, oneOf([0, 1, 2] as const));
      if (fate === 3 || fate === 4) await lendTo(livre, 'Luc').catch(() => undefined);
      if (fate === 5) await lendTo(livre, 'Anne').then(giveBack, () => undefined);
    }
    openCopy();
    await untilCurrent();
  }, RANDOM_TIMEOUT_MS);
  afterAll(moveOut);

  test('each theme in any spelling, with and without a format', async () => {
    const themes = ['ÉTÉ', 'ete', 'λόγος', 'C++', 'rien'].map((theme) => ({ theme }));
    const found = await expectSame([
      ...themes,
      ...themes.map((theme) => ({ ...theme, format: 'Physique' as const })),
    ]);
    expect(found.filter((count) => count > 0).length).toBeGreaterThan(6);
  });

  test(`every one of the ${String(FILTERS.length)} combinations of filters`, async () => {
    const found = await expectSame(FILTERS);
    expect(new Set(found).size).toBeGreaterThan(10);
  });

  test.each(TRIS)('the order %s, with and without filters', async (tri) => {
    for (const inverse of [false, true]) {
      const filters = [{}, ...Array.from({ length: 5 }, () => oneOf(FILTERS))];
      const [all] = await expectSame(filters.map((filter) => ({ ...filter, tri, inverse })));
      expect(all).toBe(150);
    }
  });

  test('random searches, with and without filters', { timeout: RANDOM_TIMEOUT_MS }, async () => {
    const questions = Array.from({ length: runs(300) }, () => {
      const words = phrase(2);
      const start = integer(words.length);
      const recherche = oneOf([
        words,
        words.toUpperCase(),
        words.slice(start, start + 1 + integer(4)),
        typedCode(),
      ]);
      const filters = oneOf([{}, {}, oneOf(FILTERS)]);
      return { ...filters, recherche, tri: oneOf(TRIS) };
    });
    const found = await expectSame(questions);
    expect(found.reduce((total, one) => total + one, 0)).toBeGreaterThan(100);
  });

  test('the new books of an import, with and without other filters', async () => {
    const text = 'Titre;Auteur\nColline;Jean Giono\nRegain;Jean Giono\nCollines;Une autre\n';
    const { id } = await elsewhere(importer, {
      bytes: new Blob([text]),
      query: { essai: false, nom: 'giono.csv' },
    });
    const lignes = await elsewhere(listerImportationLignes, {
      params: { id },
      query: { sort: 'nouveau' },
    });
    const importation = String(id);
    const livres = new Set(lignes.flatMap(({ livreId }) => livreId ?? []));
    await expect.poll(() => livresView.count()).toBe(153);
    imported.know({ importation, label: 'giono.csv', livres });
    const found = await expectSame([
      { importation },
      { importation, recherche: 'colline' },
      { importation, format: 'Numerique' },
      { importation, tri: 'ajout', inverse: true },
      { importation: '99' },
    ]);
    expect(found).toEqual([3, 2, 0, 3, 0]);
  });
});
