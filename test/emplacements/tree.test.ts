import { describe, expect, it } from 'vitest';
import { EmplacementTree, namesOfPath } from '#shared/emplacement-tree';
import { makeEmplacement } from '../support/emplacements.ts';

/** Salon (Couloir (Étagère 3, Étagère 2), Vitrine), Cave. */
const tree = new EmplacementTree([
  makeEmplacement(5, 'Cave', { rang: 9 }),
  makeEmplacement(3, 'Étagère 3', { parentId: 2, rang: 0 }),
  makeEmplacement(4, 'Étagère 2', { parentId: 2, rang: 1 }),
  makeEmplacement(6, 'Vitrine', { parentId: 1, rang: 2 }),
  makeEmplacement(2, 'Couloir', { parentId: 1, rang: 1 }),
  makeEmplacement(1, 'Salon', { rang: 3 }),
]);

const noms = (list: readonly { nom: string }[]) => list.map(({ nom }) => nom);

describe('the tree of locations', () => {
  it('lists each location before its content, by hand order', () => {
    expect(noms(tree.all)).toEqual([
      'Salon',
      'Couloir',
      'Étagère 3',
      'Étagère 2',
      'Vitrine',
      'Cave',
    ]);
    expect(tree.indexOf(6)).toBe(4);
    expect(tree.indexOf(7)).toBeUndefined();
  });

  it('finds each location by id, with its content and path', () => {
    expect(tree.get(2)?.nom).toBe('Couloir');
    expect(tree.get(7)).toBeUndefined();
    expect(noms(tree.children(null))).toEqual(['Salon', 'Cave']);
    expect(noms(tree.children(2))).toEqual(['Étagère 3', 'Étagère 2']);
    expect(tree.children(7)).toEqual([]);
    expect(noms(tree.path(3))).toEqual(['Salon', 'Couloir', 'Étagère 3']);
    expect(tree.path(7)).toEqual([]);
    expect([tree.indexOf(1), tree.indexOf(5)]).toEqual([0, 5]);
  });

  it('orders siblings of equal rank by creation', () => {
    const level = [3, 1, 2].map((id) => makeEmplacement(id, `N${id}`, { rang: 4 }));
    expect(noms(new EmplacementTree(level).all)).toEqual(['N1', 'N2', 'N3']);
  });

  it('puts lost locations on the first level, by hand order', () => {
    const odd = new EmplacementTree([
      makeEmplacement(1, 'Salon', { rang: 1 }),
      makeEmplacement(2, 'Perdu', { rang: 0, parentId: 99 }),
      makeEmplacement(3, 'Un', { rang: 2, parentId: 4 }),
      makeEmplacement(4, 'Deux', { rang: 3, parentId: 3 }),
    ]);
    expect(noms(odd.children(null))).toEqual(['Perdu', 'Salon', 'Un']);
    expect(noms(odd.all)).toEqual(['Perdu', 'Salon', 'Un', 'Deux']);
  });

  it('finds a name inside one location only, in any spelling', () => {
    expect(tree.named(null, 'SALON')?.id).toBe(1);
    expect(tree.named(2, 'etagere 3')?.id).toBe(3);
    expect(tree.named(null, 'Étagère 3')).toBeUndefined();
    expect(tree.named(2, 'Étagère')).toBeUndefined();
    expect(tree.named(2, 'Étagère 3', 3)).toBeUndefined();
    expect(tree.named(2, 'Étagère 3', 4)?.id).toBe(3);
    expect(tree.named(7, 'Salon')).toBeUndefined();
  });

  it('gives the path of a location, none if unknown', () => {
    expect(tree.pathText(3)).toBe('Salon › Couloir › Étagère 3');
    expect(tree.pathText(5)).toBe('Cave');
    expect(tree.pathText(7)).toBe('');
    expect(tree.pathText(null)).toBe('');
    expect(new EmplacementTree([makeEmplacement(1, 'Cave >> Fond')]).pathText(1)).toBe(
      'Cave / Fond',
    );
  });

  it('has all below a location with it', () => {
    expect([...tree.within(1)].sort()).toEqual([1, 2, 3, 4, 6]);
    expect([...tree.within(5)]).toEqual([5]);
    expect([...tree.within(7)]).toEqual([]);
  });

  it('has at most six levels, in an import too', () => {
    const chain = Array.from({ length: 50_000 }, (_, i) =>
      makeEmplacement(i + 1, `Niveau ${i + 1}`, { parentId: i === 0 ? null : i }),
    );
    const deep = new EmplacementTree(chain);
    expect(deep.all).toHaveLength(50_000);
    expect(noms(deep.path(6))).toEqual(noms(chain.slice(0, 6)));
    expect(noms(deep.path(7))).toEqual(['Niveau 7']);
  });

  it('counts books with those of nested locations', () => {
    const direct = new Map([
      [3, 10],
      [1, 2],
      [6, 1],
      [99, 5],
    ]);
    expect(tree.totals(direct)).toEqual(
      new Map([
        [1, 13],
        [2, 10],
        [3, 10],
        [6, 1],
      ]),
    );
  });

  it('refuses cycles and more than six levels', () => {
    expect(tree.obstacleTo(1, 3)).toBe('inItself');
    expect(tree.obstacleTo(1, 1)).toBe('inItself');
    expect(tree.obstacleTo(1, 5)).toBeNull();
    expect(tree.obstacleTo(1, null)).toBeNull();
    expect(tree.obstacleTo(null, null)).toBeNull();
    expect([1, 2, 5, 7].map((id) => tree.heightOf(id))).toEqual([3, 2, 1, 0]);
    const deep = new EmplacementTree(
      [1, 2, 3, 4, 5, 6].map((id) =>
        makeEmplacement(id, `N${id}`, { parentId: id === 1 ? null : id - 1 }),
      ),
    );
    expect(deep.obstacleTo(null, 5)).toBeNull();
    expect(deep.obstacleTo(null, 6)).toBe('tooDeep');
    expect(deep.heightOf(4)).toBe(3);
    expect(deep.obstacleTo(4, 3)).toBeNull();
    expect(deep.obstacleTo(1, null)).toBeNull();
    const beside = new EmplacementTree([...deep.all, makeEmplacement(9, 'Au-dessus')]);
    expect(beside.obstacleTo(1, 9)).toBe('tooDeep');
    expect(beside.obstacleTo(2, 9)).toBeNull();
    expect(new EmplacementTree([...deep.all, ...tree.all]).obstacleTo(null, 6)).toBe('tooDeep');
  });

  it.each([
    ['salon', ['Salon']],
    ['etag', ['Étagère 3', 'Étagère 2']],
    ['salon 3', ['Étagère 3']],
    ['cave 3', []],
    ['3 salon couloir', ['Étagère 3']],
    ['couloir vitrine', []],
    ['salon 9', []],
    ['null', []],
    ['!', []],
    ['', []],
  ])('finds for « %s » %j', (recherche, expected) => {
    expect(noms(tree.search(recherche))).toEqual(expected);
  });

  it('shows all locations of an incomplete replica, even with a cycle', () => {
    const half = new EmplacementTree([
      makeEmplacement(1, 'Sans parent', { parentId: 9 }),
      makeEmplacement(2, 'A', { parentId: 3 }),
      makeEmplacement(3, 'B', { parentId: 2 }),
    ]);
    expect(noms(half.all)).toEqual(['Sans parent', 'A', 'B']);
    expect(half.pathText(3)).toBe('A › B');
    expect([...half.within(2)]).toEqual([2, 3]);
    expect(half.totals(new Map([[3, 1]]))).toEqual(
      new Map([
        [2, 1],
        [3, 1],
      ]),
    );
  });
});

it.each([
  ['Salon > Étagère 3', ['Salon', 'Étagère 3']],
  ['Salon›Couloir » Haut', ['Salon', 'Couloir', 'Haut']],
  [' > ', []],
  ['Cave', ['Cave']],
  ['Salon →Étagère 3>', ['Salon', 'Étagère 3']],
  ['Cave >> Carton 12', ['Cave', 'Carton 12']],
])('the path « %s » has the names %j', (path, expected) => {
  expect(namesOfPath(path)).toEqual(expected);
});
