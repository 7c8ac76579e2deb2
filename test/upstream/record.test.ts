import { describe, expect, test } from 'vitest';
import { parseAnnee } from '#server/plumbing/upstream/texts';
import {
  chooseAuteurs,
  inReadingOrder,
  makeComic,
  parsePerson,
} from '#server/plumbing/upstream/noms';
import { parseEditeur, parseTitre } from '#server/plumbing/upstream/bnf';

describe('a person of a record', () => {
  test.each<[text: string, nom: string, roles: string[]]>([
    [
      'Saint-Exupéry, Antoine de (1900-1944). Auteur du texte',
      'Antoine de Saint-Exupéry',
      ['Auteur du texte'],
    ],
    ['Rowling, J. K. (1965-....). Auteur du texte', 'J. K. Rowling', ['Auteur du texte']],
    ['Rowling, J. K. Auteur du texte', 'J. K. Rowling', ['Auteur du texte']],
    ['Green, Simon R. Auteur du texte', 'Simon R. Green', ['Auteur du texte']],
    ['Mr Tan (1981-....). Auteur du texte', 'Mr Tan', ['Auteur du texte']],
    ['Miss Prickly (1982-....). Illustrateur', 'Miss Prickly', ['Illustrateur']],
    ['Dr. Mirliton. Auteur du texte', 'Dr. Mirliton', ['Auteur du texte']],
    [
      'Ménard, Jean-François (1948-.... ; romancier pour la jeunesse). Traducteur',
      'Jean-François Ménard',
      ['Traducteur'],
    ],
    [
      'Zidi, Claude (1934-....). Réalisateur. Scénariste',
      'Claude Zidi',
      ['Réalisateur', 'Scénariste'],
    ],
    ['Roméo, Léna. Traducteur', 'Léna Roméo', ['Traducteur']],
    ['Asimov Isaac', 'Asimov Isaac', []],
    ['Molière (1622-1673)', 'Molière', []],
    ['Anonyme (16..-16..). Graveur', 'Anonyme', ['Graveur']],
    [
      "Alembert, Jean Le Rond d' (1717-1783). Auteur du texte",
      "Jean Le Rond d'Alembert",
      ['Auteur du texte'],
    ],
    [
      'France. Ministère de la culture. Éditeur scientifique',
      'France. Ministère de la culture',
      ['Éditeur scientifique'],
    ],
    ['Centre de recherches (Dijon). Auteur du texte', 'Centre de recherches', ['Auteur du texte']],
    ["Aubigny, Jean d' (1485?-1546). Auteur du texte", "Jean d'Aubigny", ['Auteur du texte']],
    ['Durand, Paul. Chef de projet', 'Paul Durand', ['Chef de projet']],
    ['Durand, Paul (1950-', 'Paul Durand', []],
  ])('%s', (text, nom, roles) => {
    expect(parsePerson(text)).toEqual({ nom, roles });
  });

  test('an empty text is no person', () => {
    expect(parsePerson('')).toBeNull();
    expect(parsePerson('(1900-1944). Auteur du texte')).toBeNull();
  });
});

describe('the authors of a record', () => {
  const auteurs = (...texts: string[]) =>
    chooseAuteurs(texts.flatMap((text) => parsePerson(text) ?? []));

  test.each<[string[], string[]]>([
    [
      ['Dol, Marc (1965-....). Traducteur', 'Whitby, Ellen (1955-....). Auteur du texte'],
      ['Ellen Whitby'],
    ],
    [
      [
        'Cardon, Inès. Scénariste',
        'Lemercier, Hugo. Dessinateur. Coloriste',
        'Okada, Yumi. Coloriste',
      ],
      ['Inès Cardon', 'Hugo Lemercier'],
    ],
    [['Vaz, Teresa (1958-....). Photographe', 'Dol, Marc. Préfacier'], ['Teresa Vaz']],
    [
      ['Tan, Lou. Illustrateur', 'Vaz, Teresa. Éditeur scientifique'],
      ['Lou Tan', 'Teresa Vaz'],
    ],
    [['Verne, Jules (1828-1905). Auteur adapté', 'Prat, Rose. Adaptateur'], []],
    [['Verne, Jules (1828-1905). Auteur adapté', 'Prat, Rose. Illustrateur'], ['Rose Prat']],
    [['Verne, Jules. Auteur adapté. Auteur du texte'], ['Jules Verne']],
    [
      ['Mori, Kenta (1969-....). Auteur du texte', 'Mori, Kenta (1969-....). Illustrateur'],
      ['Kenta Mori'],
    ],
    [['Delorme Agathe', 'Dol, Marc. Traducteur'], ['Delorme Agathe']],
    [['Zidi, Claude (1934-....). Réalisateur. Scénariste'], ['Claude Zidi']],
    [['Dol, Marc. Traducteur', 'Prat, Rose. Préfacier'], []],
    [[], []],
  ])('%j', (texts, expected) => {
    expect(auteurs(...texts)).toEqual(expected);
  });
});

test.each<[string[], boolean]>([
  [['Cardon, Inès. Scénariste'], true],
  [['Cardon, Inès (1980-....). Auteur du texte', 'Lemercier, Hugo. Dessinatrice'], true],
  [['Mori, Kenta. Auteur du texte', 'Tan, Lou. Illustrateur'], false],
  [[], false],
])('the people of %j make a comic: %s', (texts, expected) => {
  expect(makeComic(texts.flatMap((text) => parsePerson(text) ?? []))).toBe(expected);
});

describe('a name in reading order', () => {
  test.each([
    ['Hugo, Victor, 1802-1885', 'Victor Hugo'],
    ['Hugo, Victor', 'Victor Hugo'],
    ['Victor Hugo', 'Victor Hugo'],
    ['Martin Luther King, Jr.', 'Martin Luther King, Jr.'],
    ['Colette', 'Colette'],
  ])('%s', (catalogued, nom) => {
    expect(inReadingOrder(catalogued)).toBe(nom);
  });
});

test.each<[string, string | null]>([
  ['La couleur des vents / Martine Panard', 'La couleur des vents'],
  ['Tout finira bien / Mr Tan ; [dessins], Miss Prickly', 'Tout finira bien'],
  [
    "Louis Émile // D'un bûcher // (première version) // 1965",
    "Louis Émile // D'un bûcher // (première version) // 1965",
  ],
  ['Le sabre et la pluie : 5 (Éd. prestige)', 'Le sabre et la pluie : 5'],
  ['Le sabre (Éd. revue et corrigée) / Kenta Mori', 'Le sabre'],
  ['Le nombre 1/2', 'Le nombre 1/2'],
  ['\u0098Le \u009Cgrand  atlas', 'Le grand atlas'],
  ['\u0088Le \u0089grand atlas', 'Le grand atlas'],
  ['Un titre (Édouard)', 'Un titre (Édouard)'],
  [' / Anonyme', '/ Anonyme'],
  ['', null],
])('the title « %s »', (text, titre) => {
  expect(parseTitre(text)).toBe(titre);
});

test.each<[string, string | null]>([
  ['Gallimard jeunesse (Paris)', 'Gallimard jeunesse'],
  ['Ki-oon', 'Ki-oon'],
  ['Çà et là (Bussy-Saint-Georges)', 'Çà et là'],
  ['[s.n.] (Paris)', null],
  ['(Paris)', null],
])('the publisher « %s »', (text, editeur) => {
  expect(parseEditeur(text)).toBe(editeur);
});

test.each<[string, number | null]>([
  ['2012', 2012],
  ['1919-1945', 1919],
  ['DL 2019', 2019],
  ['cop. 2004', 2004],
  ['[1994]', 1994],
  ['impr. 2007', 2007],
  ['[s.d.]', null],
  ['19..', null],
  ['March 2009', 2009],
  ['April 22, 2008', 2008],
  ['2022-02-09', 2022],
  ['20220209', null],
  ['9999', null],
  ['', null],
])('the year of « %s »', (date, annee) => {
  expect(parseAnnee(date)).toBe(annee);
});
