import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fitSpineTitre,
  SHELVES,
  spinesOf,
  type ShelfName,
  type SpineVolume,
} from '../../src/lib/couvertures/jacket/spines.ts';
import { bindingOf } from '../../src/lib/couvertures/jacket/jacket.ts';
import { widthOf } from '../../src/lib/couvertures/jacket/typesetting.ts';
import { cases } from '../support/random.ts';

const volume = (id: number, more: Partial<SpineVolume> = {}): SpineVolume => ({
  id,
  titre: `Titre ${String(id)}`,
  auteurs: [],
  nombrePages: null,
  typeDocument: 'NonPrecise',
  ...more,
});

const named = fc.constantFrom<ShelfName>(
  'rangement',
  'rangementDesk',
  'emplacement',
  'soiree',
  'soireeDesk',
  'soireeFin',
  'recolement',
);
const volumes = fc
  .array(fc.option(fc.integer({ min: 1, max: 3000 })), { maxLength: 400 })
  .map((all) => all.map((nombrePages, id) => volume(id, { nombrePages })));
const total = (widths: readonly { width: number }[]) =>
  widths.reduce((sum, { width }) => sum + width + 1, -1);

describe('the width of a spine', () => {
  it.each([
    ['rangement', 360, 15],
    ['rangement', 9000, 20],
    ['rangement', null, 11.5],
    ['rangementDesk', 360, 18.5],
    ['emplacement', 360, 19.5],
    ['soiree', 360, 9.5],
    ['recolement', 20, 12],
  ] as const)('on %s with %j pages', (name, nombrePages, width) => {
    expect(spinesOf([volume(1, { nombrePages })], name, 360)[0]?.width).toBe(width);
  });

  it('shrinks by one share, down to four pixels', () => {
    const thick = [volume(1, { nombrePages: 900 }), volume(2, { nombrePages: 10 })];
    const [first, second] = spinesOf(thick, 'rangement', 19);
    expect([first?.width, second?.width]).toEqual([14, 4]);
  });

  it('fills the room, and never passes it', () => {
    fc.assert(
      fc.property(volumes, named, fc.integer({ min: 4, max: 1200 }), (all, name, room) => {
        const spines = spinesOf(all, name, room);
        const natural = total(spinesOf(all, 'emplacement', Infinity));
        expect(spines.every(({ width }) => width >= 4 && width <= SHELVES[name].max)).toBe(true);
        const scrolls = SHELVES[name].overfull === 'scroll';
        const [least, most] = scrolls ? [Math.min(room, natural), Infinity] : [-Infinity, room];
        expect(total(spines)).toBeGreaterThanOrEqual(least - 0.001);
        expect(total(spines)).toBeLessThan(most + 0.001);
      }),
      cases(200),
    );
  });
});

describe('more books than the shelf has room for', () => {
  const many = Array.from({ length: 300 }, (_, id) => volume(id));
  const idsOn = (name: ShelfName) => spinesOf(many, name, 354).map(({ id }) => id);

  it('keeps the first, the last or all', () => {
    expect(idsOn('rangement')).toEqual(many.slice(0, 71).map(({ id }) => id));
    expect(idsOn('soiree')).toEqual(many.slice(-71).map(({ id }) => id));
    expect(idsOn('emplacement')).toHaveLength(300);
  });
});

describe('the height of a spine', () => {
  it('is the title’s, and a comic’s above all others', () => {
    const heights = (typeDocument: SpineVolume['typeDocument']) =>
      Array.from(
        { length: 60 },
        (_, id) => spinesOf([volume(id, { typeDocument })], 'emplacement', 360)[0]?.height ?? 0,
      );
    const shares = (all: readonly number[]) =>
      [...new Set(all.map((height) => Math.round((height / 166) * 100)))].sort((a, b) => a - b);
    expect(shares(heights('Roman'))).toEqual([74, 78, 82, 86, 90, 94]);
    expect(shares(heights('BandeDessinee'))).toEqual([96, 98, 100]);
  });
});

describe('the cloth of a spine', () => {
  it('is that of the jacket, and so is its layout', () => {
    const nom = 'Roger Martin du Gard';
    const [spine] = spinesOf([volume(1, { auteurs: [{ id: 1, nom }] })], 'emplacement', 360);
    const { cloth, layout } = bindingOf('', nom);
    expect(spine).toMatchObject({ cloth, layout });
  });

  it('is none for a code that nobody knows', () => {
    const clothOf = (titre: string) => spinesOf([volume(1, { titre })], 'soiree', 360)[0]?.cloth;
    expect(clothOf('9782070360024')).toBeNull();
    expect(clothOf('978-2-07-036002-4')).toBeNull();
    expect(clothOf('1984')).not.toBeNull();
  });
});

describe('the title of a spine', () => {
  it.each([
    ['L’Amant', 120, 19, 'L’Amant', 11.5],
    ['L’Amant', 120, 16, 'L’Amant', 9.75],
    ['Zazie dans le métro', 105, 18, 'Zazie dans le métro', 10.5],
    ['Knock ou le triomphe de la médecine', 110, 19, 'Knock', 11.5],
    ['Persepolis\u00a0: l’intégrale en un volume', 110, 19, 'Persepolis', 11.5],
    ['Un barrage contre le Pacifique', 110, 19, 'Un barrage contre…', 9],
    ['Anticonstitutionnellement', 60, 19, '', 0],
  ])('is set to fit: %s', (titre, length, width, text, size) => {
    expect(fitSpineTitre(titre, length, width)).toEqual({ text, size });
  });

  it('fits its length, and ends behind no article', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('le', 'la', 'un', 'chat', 'Histoires', 'extraordinaires', ':'), {
          minLength: 1,
          maxLength: 12,
        }),
        fc.integer({ min: 30, max: 150 }),
        (words, length) => {
          const { text, size } = fitSpineTitre(words.join(' '), length, 20);
          expect((widthOf(text) * size) / 100).toBeLessThanOrEqual(length);
          expect(text).not.toMatch(/(?:^| )(?:le|la|un)…$/u);
        },
      ),
      cases(200),
    );
  });

  it('is drawn where the shelf has titles', () => {
    const titres = (name: ShelfName) => spinesOf([volume(1)], name, 360)[0]?.titre;
    expect([titres('rangement'), titres('emplacement'), titres('soiree')]).toEqual([
      '',
      'Titre 1',
      '',
    ]);
  });
});
