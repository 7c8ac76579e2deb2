import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Catalogue, type Statuts } from '#shared/catalogue';
import type { Criteres } from '#shared/livres';
import { livres, pas, statuts, unLivre, type Pas } from './hasard.ts';
import { CatalogueNaif } from './naif.ts';

const PERSONNE: Statuts = new Map();
const LE_JOUR = '2026-01-01T00:00:00.000Z';

const pret = (id: number, livreId: number, dateRetour: string | null = null) => ({
  id,
  livreId,
  emprunteur: `Emprunteur ${id}`,
  datePret: LE_JOUR,
  dateRetour,
});

function ids(catalogue: Catalogue, criteres: Criteres = {}, siens: Statuts = PERSONNE): number[] {
  return catalogue.chercher(criteres, siens).map(({ id }) => id);
}

/** Takes the steps with both, and compares every answer. */
function suivre(catalogue: Catalogue, naif: CatalogueNaif, liste: Pas[], siens: Statuts): void {
  for (const un of liste) {
    if ('livres' in un) {
      catalogue.recevoirLivres(un.livres);
      naif.recevoirLivres(un.livres);
    } else if ('prets' in un) {
      catalogue.recevoirPrets(un.prets);
      naif.recevoirPrets(un.prets);
    } else {
      const { criteres, decalage, limite } = un;
      const attendus = naif.chercher(criteres, siens);
      expect(ids(catalogue, criteres, siens)).toEqual(attendus);
      const page = catalogue.page({ ...criteres, decalage, limite }, siens);
      expect(page.total).toBe(attendus.length);
      expect(page.livres.map(({ id }) => id)).toEqual(attendus.slice(decalage, decalage + limite));
    }
  }
}

function verifierEtat(catalogue: Catalogue, naif: CatalogueNaif): void {
  const tous = [...naif.livres.values()];
  expect(catalogue.nombre).toBe(tous.length);
  expect(catalogue.presents).toEqual({
    formats: new Set(tous.map(({ format }) => format)),
    typesDocument: new Set(tous.map(({ typeDocument }) => typeDocument)),
    disponibilites: new Set(tous.map(({ id }) => (naif.estPrete(id) ? 'prete' : 'chezSoi'))),
  });
  for (const livre of tous) {
    expect(catalogue.livre(livre.id)).toEqual(livre);
    expect(catalogue.pretOuvert(livre.id) !== null).toBe(naif.estPrete(livre.id));
  }
}

describe('the catalogue answers like the plain rules', () => {
  it('whatever changes in whatever order', () => {
    const quelques = fc.integer({ min: 1, max: 40 });
    fc.assert(
      fc.property(fc.array(pas(quelques), { maxLength: 25 }), statuts(quelques), (liste, siens) => {
        const catalogue = new Catalogue();
        const naif = new CatalogueNaif();
        suivre(catalogue, naif, liste, siens);
        verifierEtat(catalogue, naif);
      }),
      { numRuns: 300 },
    );
  });

  it('with so many books that an index is made, and made again', { timeout: 60_000 }, () => {
    const nombre = 20_300;
    const fonds = fc.sample(livres(fc.constant(0)), { numRuns: 500, seed: 7 });
    const tous = Array.from({ length: nombre }, (_, i) => {
      const modele = fonds[i % fonds.length] ?? unLivre(0, 'a');
      return { ...modele, id: i + 1 };
    });
    const quelques = fc.integer({ min: 1, max: nombre + 500 });
    fc.assert(
      fc.property(
        fc.array(pas(quelques, 600), { minLength: 12, maxLength: 12 }),
        statuts(quelques),
        (liste, siens) => {
          const catalogue = new Catalogue();
          const naif = new CatalogueNaif();
          const recherche: Pas = { criteres: { recherche: 'ha' }, decalage: 0, limite: 5 };
          suivre(catalogue, naif, [{ livres: tous }, recherche, ...liste, recherche], siens);
          expect(catalogue.nombre).toBe(naif.livres.size);
        },
      ),
      { numRuns: 4 },
    );
  });
});

describe('a search', () => {
  const catalogue = new Catalogue();
  catalogue.recevoirLivres([
    unLivre(1, 'Œdipe roi', { auteurs: [{ id: 1, nom: 'Sophocle' }] }),
    unLivre(2, 'L’Été', { auteurs: [{ id: 2, nom: 'Albert Camus' }] }),
    unLivre(3, '三体', { auteurs: [{ id: 3, nom: '刘慈欣' }] }),
    unLivre(4, 'Noces', {
      auteurs: [
        { id: 2, nom: 'Albert Camus' },
        { id: 4, nom: 'Straße, Élise' },
      ],
    }),
  ]);

  it.each([
    ['oedipe', [1]],
    ['ŒDIPE', [1]],
    ['dip ro', [1]],
    ['été', [2]],
    ['ete camus', [2]],
    ['camus, albert', [2, 4]],
    ['strasse camus', [4]],
    ['体', [3]],
    ['慈', [3]],
    ['roi sophocle', [1]],
    ['roisophocle', []],
    ['roi.sophocle', [1]],
    ['zzz', []],
    ['', [2, 4, 1, 3]],
    [' ! ', [2, 4, 1, 3]],
  ])('for « %s » finds %j', (recherche, attendus) => {
    expect(ids(catalogue, { recherche })).toEqual(attendus);
  });

  it('gives the same answers typed letter by letter, taken back, and after a change', () => {
    const autre = new Catalogue();
    autre.recevoirLivres([unLivre(1, 'Harry'), unLivre(2, 'Hart'), unLivre(3, 'Or')]);
    expect(ids(autre, { recherche: 'h' })).toEqual([1, 2]);
    expect(ids(autre, { recherche: 'har' })).toEqual([1, 2]);
    expect(ids(autre, { recherche: 'harr' })).toEqual([1]);
    expect(ids(autre, { recherche: 'har' })).toEqual([1, 2]);
    expect(ids(autre, { recherche: 'o' })).toEqual([3]);
    expect(ids(autre, { recherche: 'or' })).toEqual([3]);
    autre.recevoirLivres([unLivre(4, 'Oran')]);
    expect(ids(autre, { recherche: 'or' })).toEqual([3, 4]);
  });
});

describe('the order', () => {
  it('is by code point, then id', () => {
    const catalogue = new Catalogue();
    catalogue.recevoirLivres([
      unLivre(5, 'Été'),
      unLivre(1, '𠀀'),
      unLivre(2, '\ufa0e'),
      unLivre(9, 'ETE'),
      unLivre(3, 'été'),
      unLivre(4, '…'),
      unLivre(6, 'Zola'),
    ]);
    expect(ids(catalogue)).toEqual([4, 3, 5, 9, 6, 2, 1]);
  });

  it('follows a changed title and stays where only something else has changed', () => {
    const catalogue = new Catalogue();
    catalogue.recevoirLivres([unLivre(1, 'b'), unLivre(2, 'd'), unLivre(3, 'c')]);
    catalogue.recevoirLivres([unLivre(2, 'a')]);
    expect(ids(catalogue)).toEqual([2, 1, 3]);
    catalogue.recevoirLivres([unLivre(1, 'B !', { annee: 1999 })]);
    expect(ids(catalogue)).toEqual([2, 1, 3]);
    expect(catalogue.livre(1)?.annee).toBe(1999);
    catalogue.recevoirLivres([
      { id: 2, _deleted: true },
      { id: 77, _deleted: true },
    ]);
    expect(ids(catalogue)).toEqual([1, 3]);
    expect(catalogue.livre(2)).toBeUndefined();
  });
});

describe('loans', () => {
  it('lend a book until they are closed; an ebook is at home', () => {
    const catalogue = new Catalogue();
    catalogue.recevoirPrets([pret(1, 1), pret(2, 2, LE_JOUR)]);
    expect(catalogue.presents.disponibilites).toEqual(new Set());
    catalogue.recevoirLivres([unLivre(1, 'a'), unLivre(2, 'b')]);
    catalogue.recevoirLivres([unLivre(3, 'c', { format: 'Numerique' })]);
    expect(ids(catalogue, { disponibilite: 'prete' })).toEqual([1]);
    expect(ids(catalogue, { disponibilite: 'chezSoi' })).toEqual([2, 3]);
    expect(catalogue.presents.disponibilites).toEqual(new Set(['chezSoi', 'prete']));
    expect(catalogue.pretOuvert(1)).toEqual({
      id: 1,
      emprunteur: 'Emprunteur 1',
      datePret: LE_JOUR,
    });
    catalogue.recevoirPrets([pret(1, 1, LE_JOUR)]);
    expect(ids(catalogue, { disponibilite: 'prete' })).toEqual([]);
    expect(catalogue.pretOuvert(1)).toBeNull();
  });

  it('show the later one, in whichever order a return and a new loan arrive', () => {
    const suite = [pret(1, 1), pret(2, 1), pret(1, 1, LE_JOUR)];
    for (const ordre of [suite, [pret(2, 1), pret(1, 1), pret(1, 1, LE_JOUR)]]) {
      const catalogue = new Catalogue();
      catalogue.recevoirLivres([unLivre(1, 'a')]);
      for (const un of ordre) catalogue.recevoirPrets([un]);
      expect(catalogue.pretOuvert(1)?.id).toBe(2);
      catalogue.recevoirPrets([{ id: 2, _deleted: true }]);
      expect(catalogue.pretOuvert(1)).toBeNull();
    }
  });
});

describe('books', () => {
  it('are found by their ISBN, every copy of it, by title', () => {
    const catalogue = new Catalogue();
    const isbn = '9782070408504';
    catalogue.recevoirLivres([
      unLivre(1, 'b', { isbn }),
      unLivre(2, 'a', { isbn }),
      unLivre(3, 'c'),
    ]);
    expect(catalogue.parIsbn(isbn).map(({ id }) => id)).toEqual([2, 1]);
    catalogue.recevoirLivres([{ id: 2, _deleted: true }]);
    expect(catalogue.parIsbn(isbn).map(({ id }) => id)).toEqual([1]);
    expect(catalogue.parIsbn('9782948012017')).toEqual([]);
  });
});
