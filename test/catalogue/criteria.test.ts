import { describe, expect, it, test } from 'vitest';
import { Catalogue, type Statuts } from '#shared/catalogue';
import { Counts } from '#shared/catalogue-filters';
import type { Criteres, Order } from '#shared/livres';
import { makeEmplacement } from '../support/emplacements.ts';
import { makeLivre } from '../support/livres.ts';
import { makePlace, makeSerie } from '../support/series.ts';

const STATUTS: Statuts = new Map([
  [1, 0],
  [2, 1],
  [3, 2],
]);
const COUVERTURE = {
  cle: 'a'.repeat(64),
  largeur: 400,
  hauteur: 600,
  couleur: '#aa3322',
  source: 'adresse' as const,
};

const auteur = (nom: string) => ({ auteurs: [{ id: 1, nom }] });

const LIVRES = [
  makeLivre(1, 'Dune', {
    ...auteur('Frank Herbert'),
    annee: 1965,
    dateAjout: '2024-03-01T10:00:00.000Z',
    emplacementId: 3,
    isbn: '9782070360024',
    themes: ['Désert', 'Espace'],
  }),
  makeLivre(2, 'Le Messie de Dune', {
    ...auteur('Frank Herbert'),
    annee: 1969,
    dateAjout: '2025-03-01T10:00:00.000Z',
    emplacementId: 1,
    editeur: 'Robert Laffont',
  }),
  makeLivre(3, 'Les Enfants de Dune', {
    dateAjout: '2025-03-01T10:00:00.500Z',
    format: 'Numerique',
    editeur: 'ROBERT LAFFONT',
    themes: ['DÉSERT'],
    couverture: COUVERTURE,
  }),
  makeLivre(4, 'Astérix', {
    ...auteur('Émile Zola'),
    annee: 2001,
    dateAjout: '2023-01-01T00:00:00.000Z',
    typeDocument: 'BandeDessinee',
    emplacementId: 99,
  }),
  makeLivre(5, '1984', {
    ...auteur('???'),
    annee: -50,
    dateAjout: '2026-01-01T00:00:00.000Z',
    emplacementId: 2,
  }),
];

/** Five books: two in the series « Cycle », one of them in « Avant » too; locations Salon (Étagère) and « + ». */
function household(): Catalogue {
  const catalogue = new Catalogue();
  catalogue.applyLivres(LIVRES);
  catalogue.applySeries([
    makeSerie(1, 'Cycle', [makePlace(1, 'B', { livreId: 2 }), makePlace(2, 'A', { livreId: 1 })]),
    makeSerie(2, 'Le Avant', [makePlace(3, 'Manque'), makePlace(4, 'A', { livreId: 1 })]),
  ]);
  catalogue.applyEmplacements([
    makeEmplacement(1, 'Salon', { rang: 1 }),
    makeEmplacement(2, '+', { rang: 2 }),
    makeEmplacement(3, 'Étagère', { parentId: 1 }),
  ]);
  const pret = {
    emprunteur: 'Luc',
    datePret: '2026-01-01T00:00:00.000Z',
    dateRetour: null,
    dateRetourPrevue: null,
  };
  catalogue.applyPrets([{ ...pret, id: 1, livreId: 2 }]);
  return catalogue;
}

const ids = (catalogue: Catalogue, criteres: Criteres & Order) =>
  catalogue.search({ tri: 'ajout', inverse: true, ...criteres }, STATUTS).map(({ id }) => id);

test('the filter by import shows the given books, or none', () => {
  const catalogue = household();
  const found = (importes?: ReadonlySet<number>) =>
    catalogue.search({ importation: '7', importes }, STATUTS).map(({ id }) => id);
  expect(new Set(found(new Set([3, 1, 99])))).toEqual(new Set([1, 3]));
  expect(found()).toEqual([]);
});

describe('a list of books', () => {
  it.each<[Criteres, number[]]>([
    [{}, [4, 1, 2, 3, 5]],
    [{ format: 'Numerique' }, [3]],
    [{ typeDocument: 'BandeDessinee' }, [4]],
    [{ disponibilite: 'prete' }, [2]],
    [{ disponibilite: 'chezSoi' }, [4, 1, 3, 5]],
    [{ statut: '0' }, [1]],
    [{ statut: '1,2' }, [2, 3]],
    [{ statut: 'aucun,2' }, [4, 3, 5]],
    [{ sans: 'couverture' }, [4, 1, 2, 5]],
    [{ sans: 'isbn' }, [4, 2, 3, 5]],
    [{ sans: 'serie' }, [4, 3, 5]],
    [{ sans: 'isbn,serie,couverture' }, [4, 5]],
    [{ editeur: 'robert laffont' }, [2, 3]],
    [{ editeur: ' !' }, [4, 1, 2, 3, 5]],
    [{ theme: 'désert' }, [1, 3]],
    [{ theme: 'mer' }, []],
    [{ emplacement: 'aucun' }, [4, 3]],
    [{ emplacement: '1' }, [1, 2]],
    [{ emplacement: '3' }, [1]],
    [{ emplacement: '99' }, []],
    [{ recherche: 'dune', statut: '1,aucun' }, [2]],
    [{ recherche: 'dune herbert' }, [1, 2]],
    [{ recherche: 'herbert dune' }, [1, 2]],
    [{ recherche: 'désert dune' }, [1, 3]],
    [{ recherche: '978-2-07-036002-4' }, [1]],
    [{ recherche: ' 2 07 036002 4 ' }, [1]],
    [{ recherche: '2070360024', format: 'Physique', emplacement: '3' }, [1]],
    [{ recherche: '9782070360024', format: 'Numerique' }, []],
    [{ recherche: '9782070360031' }, []],
  ])('contains the books that match %j', (criteres, expected) => {
    expect(ids(household(), criteres)).toEqual(expected);
  });

  it('is searched for a code in a title, too', () => {
    const catalogue = household();
    catalogue.applyLivres([
      makeLivre(4, 'Contrefaçons de 978 2070360024'),
      makeLivre(5, 'Contrefaçons de 2070360024'),
    ]);
    expect(ids(catalogue, { recherche: '2070360024' })).toEqual([1, 5, 4]);
    expect(ids(catalogue, { recherche: '978-2070360024' })).toEqual([1, 4]);
  });

  it.each<[Order, number[], string[]]>([
    [{}, [5, 4, 1, 2, 3], ['#', 'A', 'D', 'L', 'L']],
    [{ tri: 'titre', inverse: true }, [3, 2, 1, 4, 5], ['L', 'L', 'D', 'A', '#']],
    [{ tri: 'alphabetique' }, [5, 4, 1, 3, 2], ['#', 'A', 'D', 'E', 'M']],
    [{ tri: 'auteur' }, [5, 1, 2, 4, 3], ['…', 'H', 'H', 'Z', '…']],
    [{ tri: 'auteur', inverse: true }, [4, 2, 1, 5, 3], ['Z', 'H', 'H', '…', '…']],
    [{ tri: 'ajout' }, [5, 3, 2, 1, 4], ['2026', '2025', '2025', '2024', '2023']],
    [{ tri: 'annee' }, [5, 1, 2, 4, 3], ['-50', '1960', '1960', '2000', '…']],
    [{ tri: 'annee', inverse: true }, [4, 2, 1, 5, 3], ['2000', '1960', '1960', '-50', '…']],
    [{ tri: 'serie' }, [1, 2, 5, 4, 3], ['A', 'C', '…', '…', '…']],
    [{ tri: 'serie', inverse: true }, [2, 1, 5, 4, 3], ['C', 'A', '…', '…', '…']],
    [{ tri: 'emplacement' }, [2, 1, 5, 4, 3], ['SAL', 'SAL', '#', '…', '…']],
    [{ tri: 'emplacement', inverse: true }, [5, 1, 2, 4, 3], ['#', 'SAL', 'SAL', '…', '…']],
  ])('in the order of %j, with its rail', (order, expected, rail) => {
    const catalogue = household();
    const livres = catalogue.search(order, STATUTS);
    expect(livres.map(({ id }) => id)).toEqual(expected);
    expect(livres.map((livre) => catalogue.letter(livre, order.tri ?? 'titre'))).toEqual(rail);
  });

  it.each<[Order, number[]]>([
    [{ tri: 'note' }, [5, 4, 3, 1, 2]],
    [{ tri: 'note', inverse: true }, [3, 4, 5, 1, 2]],
    [{ tri: 'fin' }, [2, 3, 5, 4, 1]],
    [{ tri: 'fin', inverse: true }, [5, 3, 2, 4, 1]],
  ])('in the reader’s own order %j, without a rail', (order, expected) => {
    const catalogue = household();
    const lus = new Map([
      [2, { note: null, fin: '2025-02-03' }],
      [3, { note: 4, fin: '2025-02' }],
      [4, { note: 9, fin: null }],
      [5, { note: 9, fin: '2024' }],
    ]);
    const livres = catalogue.search(order, STATUTS, lus);
    expect(livres.map(({ id }) => id)).toEqual(expected);
    for (const livre of LIVRES) expect(catalogue.letter(livre, order.tri ?? 'titre')).toBe('…');
  });

  it('has a rail before it is asked for', () => {
    const letters = LIVRES.map((livre) => household().letter(livre, 'auteur'));
    expect(letters).toEqual(['H', 'H', '…', 'Z', '…']);
  });

  it('has no half of a character in its rail', () => {
    const catalogue = household();
    catalogue.applyEmplacements([makeEmplacement(1, 'Ca𠮷', { rang: 1 })]);
    const [first] = catalogue.search({ tri: 'emplacement' }, STATUTS);
    expect(first && catalogue.letter(first, 'emplacement')).toBe('CA');
  });

  it('is a page of it, with the number of all', () => {
    const page = (decalage: number, limite: number, criteres: Criteres = {}) => {
      const { livres, total } = household().page({ ...criteres, decalage, limite }, STATUTS);
      return [total, ...livres.map(({ id }) => id)];
    };
    expect(page(0, 2)).toEqual([5, 5, 4]);
    expect(page(3, 2)).toEqual([5, 2, 3]);
    expect(page(4, 9)).toEqual([5, 3]);
    expect(page(1, 2, { disponibilite: 'chezSoi' })).toEqual([4, 4, 1]);
    expect(page(4, 2, { disponibilite: 'chezSoi' })).toEqual([4]);
  });

  it('follows changes of its series and locations', () => {
    const catalogue = household();
    expect(ids(catalogue, { tri: 'serie', inverse: false })).toEqual([1, 2, 5, 4, 3]);
    const dune = { recherche: 'dune', tri: 'serie', inverse: false } as const;
    expect(ids(catalogue, dune)).toEqual([1, 2, 3]);
    expect(catalogue.serieOf(1)?.titre).toBe('Le Avant');
    expect(catalogue.serieOf(3)).toBeNull();
    catalogue.applySeries([
      { id: 2, _deleted: true },
      makeSerie(3, 'Zut', [makePlace(5, 'C', { livreId: 3 })]),
    ]);
    expect(ids(catalogue, { tri: 'serie', inverse: false })).toEqual([2, 1, 3, 5, 4]);
    expect(ids(catalogue, dune)).toEqual([2, 1, 3]);
    expect(catalogue.serieOf(1)?.titre).toBe('Cycle');
    expect(ids(catalogue, { tri: 'emplacement', inverse: false })).toEqual([2, 1, 5, 4, 3]);
    catalogue.applyEmplacements([{ id: 1, _deleted: true }]);
    expect(ids(catalogue, { tri: 'emplacement', inverse: false })).toEqual([5, 1, 4, 3, 2]);
  });

  it('is searched the same after another search, in another order', () => {
    const catalogue = household();
    const found = (recherche: string, order: Order = { tri: 'titre', inverse: false }) =>
      ids(catalogue, { recherche, ...order });
    expect(found('dune')).toEqual([1, 2, 3]);
    expect(found('dune', { tri: 'annee', inverse: false })).toEqual([1, 2, 3]);
    expect(found('dune', { tri: 'ajout', inverse: false })).toEqual([3, 2, 1]);
    expect(found('du mess')).toEqual([2]);
    expect(found('dune')).toEqual([1, 2, 3]);
    expect(found('mess')).toEqual([2]);
    expect(found('e')).toEqual([4, 1, 2, 3]);
  });

  it('offers the values that its books have', () => {
    const catalogue = household();
    const editeurs = () => [...catalogue.presentValues.editeurs].sort();
    expect(editeurs()).toEqual(['ROBERT LAFFONT', 'Robert Laffont']);
    catalogue.applyLivres([{ id: 3, _deleted: true }, makeLivre(4, 'Astérix')]);
    expect(editeurs()).toEqual(['Robert Laffont']);
    expect(catalogue.presentValues.formats).toEqual(new Set(['Physique']));
    expect(catalogue.presentValues.typesDocument).toEqual(new Set(['NonPrecise']));
    expect(catalogue.emplacementCounts).toEqual(
      new Map([
        [3, 1],
        [1, 1],
        [2, 1],
      ]),
    );
  });
});

describe('whether books are at home or lent', () => {
  const lent = (id: number, livreId: number, dateRetour: string | null = null) => ({
    id,
    livreId,
    emprunteur: 'Luc',
    dateRetour,
    dateRetourPrevue: null,
    datePret: '2026-01-01T00:00:00.000Z',
  });
  const offered = (catalogue: Catalogue) => [...catalogue.presentValues.disponibilites].sort();

  it('is offered if it occurs among existing books', () => {
    const catalogue = household();
    catalogue.applyPrets([lent(2, 99)]);
    expect(offered(catalogue)).toEqual(['chezSoi', 'prete']);
    catalogue.applyPrets([lent(1, 2, '2026-02-01T00:00:00.000Z')]);
    expect(offered(catalogue)).toEqual(['chezSoi']);
    catalogue.applyPrets(LIVRES.map(({ id }) => lent(10 + id, id)));
    expect(offered(catalogue)).toEqual(['prete']);
  });
});

describe('loans of one book', () => {
  const pret = (id: number, livreId: number) => ({
    id,
    livreId,
    emprunteur: `Emprunteur ${id}`,
    datePret: '2026-01-01T00:00:00.000Z',
    dateRetour: null,
    dateRetourPrevue: null,
  });

  it('show the earlier one again where the later was removed', () => {
    for (const [first, second] of [
      [pret(1, 1), pret(2, 1)],
      [pret(2, 1), pret(1, 1)],
    ] as const) {
      const catalogue = new Catalogue();
      catalogue.applyPrets([first, second, pret(3, 2), pret(4, 3)]);
      expect(catalogue.openPret(1)?.id).toBe(2);
      catalogue.applyPrets([{ id: 2, _deleted: true }]);
      expect([1, 2, 3].map((id) => catalogue.openPret(id)?.id)).toEqual([1, 3, 4]);
    }
  });
});

it('a value is counted until it no longer occurs', () => {
  const counts = new Counts<string>();
  for (const value of ['Mer', 'Mer', 'Lune']) counts.add(value);
  expect(Object.fromEntries(counts.all)).toEqual({ Mer: 2, Lune: 1 });
  for (const value of ['Mer', 'Lune', 'Terre']) counts.remove(value);
  expect(Object.fromEntries(counts.all)).toEqual({ Mer: 1 });
  expect([...counts.values()]).toEqual(['Mer']);
});

describe('details', () => {
  const detail = (nom: string, valeur: string) => ({ nom, valeur });
  const translated = makeLivre(1, 'Sido', {
    details: [detail('Traduction', 'Lise Marchand'), detail('Œuvre : titre', 'Mer : le récit')],
  });
  const catalogue = new Catalogue();
  catalogue.applyLivres([
    translated,
    makeLivre(2, 'Le marchand', { details: [detail('Prix', '12 €'), detail('Note', 'À Lise')] }),
    makeLivre(3, 'Autre', { details: [detail('Note', 'Un naufrage,\nune île'.repeat(40))] }),
  ]);
  const found = (criteres: Criteres) => catalogue.search(criteres, new Map()).map(({ id }) => id);

  it.each([
    ['traduction:LISE MARCHAND', [1]],
    ['Traduction: Lise', []],
    ['Oeuvre : titre', [1]],
    ['Œuvre : titre : mer, le recit', [1]],
    ['note', [2, 3]],
    ['prix:12', [2]],
    [':', []],
  ])('%s', (critere, ids) => {
    expect(found({ detail: critere }).sort()).toEqual(ids);
  });

  it('are found by words together with those of a title, but not across two values', () => {
    expect(found({ recherche: 'marchand lise' }).sort()).toEqual([1, 2]);
    expect(found({ recherche: 'naufrag ile autre' })).toEqual([3]);
    expect(found({ recherche: 'marchandmer' })).toEqual([]);
    expect(found({ recherche: 'prix' })).toEqual([]);
  });

  it('follow what changes', () => {
    catalogue.applyLivres([{ ...translated, details: [detail('Traduction', 'Paul')] }]);
    expect(found({ recherche: 'lise' })).toEqual([2]);
    expect(found({ recherche: 'paul' })).toEqual([1]);
    expect(found({ detail: 'traduction:paul' })).toEqual([1]);
    catalogue.applyLivres([{ id: 1, _deleted: true }]);
    expect(found({ recherche: 'paul' })).toEqual([]);
    expect(found({ detail: 'traduction' })).toEqual([]);
  });
});
