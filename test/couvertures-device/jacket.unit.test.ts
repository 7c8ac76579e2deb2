import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bindingOf, setOf, type Volume } from '../../src/lib/couvertures/jacket/jacket.ts';
import { jacketOf } from '../../src/lib/couvertures/jacket/typeset-jacket.ts';
import {
  fitAuteurs,
  fitTitre,
  widthOf,
  type Room,
} from '../../src/lib/couvertures/jacket/typesetting.ts';
import { hashOf } from '../../src/lib/format/cloth.ts';
import { cases } from '../support/random.ts';

describe('the hash of a name', () => {
  it.each([
    ['', 0x1ab1854e],
    ['a', 0x0b2da1f5],
    ['foobar', 0x9811adff],
    ['duras\nmarguerite', 0x26ffe910],
    ['ferrante\nelena', 0xc10eec03],
    ['Le Roman de Renart', 0xee17c7b9],
    ['Œuvre', 0x26da163d],
  ])('is the mixed FNV-1a of its UTF-8: %j', (text, hash) => {
    expect(hashOf(text)).toBe(hash);
  });

  it('is one for both forms and cases of a letter', () => {
    expect(hashOf('E\u0301TRANGER')).toBe(hashOf('étranger'));
  });
});

describe('the binding', () => {
  it('is one for an author, however the name is written', () => {
    const binding = bindingOf('Moderato cantabile', 'Marguerite Duras');
    expect(bindingOf('L’Amant', 'Duras, Marguerite')).toEqual(binding);
    expect(binding).toMatchObject({ cloth: 654305552 % 15 });
  });

  it('is that of the title where nobody wrote the book', () => {
    expect(bindingOf('Le Roman de Renart', undefined).cloth).toBe(3994535865 % 15);
  });

  it('takes every cloth and every layout', () => {
    const bindings = Array.from({ length: 400 }, (_, i) => bindingOf('', `Auteur ${String(i)}`));
    expect(new Set(bindings.map(({ cloth }) => cloth)).size).toBe(15);
    expect(new Set(bindings.map(({ layout }) => layout)).size).toBe(3);
  });
});

/** The space of a framed title on a generated cover of 208 pixels. */
const FILET: Room = { measure: 162, height: 190, leading: 1.12, largest: 32, floor: 17 };
const TRAIT: Room = { measure: 170, height: 220, leading: 1.12, largest: 35, floor: 17 };

describe('a title set to fit', () => {
  it.each([
    ['Un barrage contre le Pacifique', FILET, ['Un barrage', 'contre', 'le Pacifique']],
    ['Celle qui fuit et celle qui reste', TRAIT, ['Celle', 'qui fuit', 'et celle', 'qui reste']],
    ['Les Misérables', FILET, ['Les', 'Misérables']],
    ['Ru', FILET, ['Ru']],
    ['Les Mille et Une Nuits', FILET, ['Les Mille et', 'Une Nuits']],
    ['Simone de Beauvoir', TRAIT, ['Simone', 'de Beauvoir']],
    ['En attendant Godot', FILET, ['En attendant', 'Godot']],
    ['L’Arrache-cœur', { ...FILET, measure: 100 }, ['L’Arrache-', 'cœur']],
  ])('is broken as a typesetter would: %s', (titre, room, lines) => {
    expect(fitTitre(titre, room).lines).toEqual(lines);
  });

  it.each([
    // Reduced from 25 pixels, by just as much as needed.
    ['Le Ravissement de Lol V. Stein', FILET, ['Le Ravissement', 'de Lol V. Stein'], 20.5],
    ['Le Lys dans la vallée', TRAIT, ['Le Lys dans', 'la vallée'], 29.5],
    // The larger size would need another line break.
    ['La Promesse de l’aube', FILET, ['La', 'Promesse', 'de l’aube'], 32],
  ])(
    'ends a line with an article only where it gains a fifth by it: %s',
    (titre, room, lines, size) => {
      expect(fitTitre(titre, room)).toEqual({ lines, size });
    },
  );

  const room = { ...FILET, height: 40 };
  const long = 'et de tout ce qui s’ensuivit pendant les années qu’elle dura';

  it('drops its subtitle if there is no room', () => {
    expect(fitTitre(`La Guerre : ${long}`, room).lines.join(' ')).toBe('La Guerre');
  });

  it('gives up an English subtitle as well, which no blank parts from the colon', () => {
    expect(fitTitre(`The War: ${long}`, room).lines.join(' ')).toBe('The War');
  });

  it.each([76, 80, 82, 85.28, 90])(
    'is set small where a word of it is longer than a line of %s pixels',
    (measure) => {
      const narrow = { ...TRAIT, measure, height: 110, largest: 21.84, floor: 13 };
      const { lines } = fitTitre('The Metamorphosis and Other Stories', narrow);
      expect(lines.join(' ')).toBe('The Metamorphosis and Other Stories');
    },
  );

  it('ends in an ellipsis where it has no subtitle', () => {
    expect(fitTitre(`La Guerre ${long}`, room).lines.join(' ')).toMatch(/^La Guerre .*…$/u);
    expect(fitTitre('A'.repeat(80), room).lines.join('')).toMatch(/^A+…$/u);
  });

  it('never leaves its room', () => {
    const words = fc.constantFrom(
      ...'le la les un une de des et à L’Été mort amour extraordinaire L’Extraordinaire jour 1914'.split(
        ' ',
      ),
    );
    const titres = fc.array(words, { minLength: 1, maxLength: 30 }).map((all) => all.join(' '));
    fc.assert(
      fc.property(titres, fc.integer({ min: 104, max: 240 }), (titre, width) => {
        const room = {
          measure: width * 0.78,
          height: width * 0.9,
          leading: 1.16,
          largest: width * 0.155,
          floor: Math.max(13, width * 0.08),
        };
        const { lines, size } = fitTitre(titre, room);
        expect(lines.length * size * room.leading).toBeLessThanOrEqual(room.height);
        for (const line of lines)
          expect((widthOf(line) * size) / 100).toBeLessThanOrEqual(room.measure);
        const shown = lines.join(' ').replace(/…$/u, '');
        expect(titre.startsWith(shown)).toBe(true);
      }),
      cases(300),
    );
  });
});

describe('the authors', () => {
  const lines = (...noms: string[]) => fitAuteurs(noms, 84, 13)?.lines;

  it.each([
    [['Colette'], ['Colette']],
    [['Roger Martin du Gard'], ['Roger Martin', 'du Gard']],
    [
      ['René Goscinny', 'Albert Uderzo'],
      ['Goscinny,', 'Uderzo'],
    ],
    [['Jean-Baptiste Quelqu’un de Très-Grandechose'], ['Très-', 'Grandechose']],
    [
      ['Ursula K. Le Guin', 'Anonyme', 'Autre'],
      ['Le Guin', 'et al.'],
    ],
  ])('stand whole, in two lines, or by their surnames: %j', (noms, expected) => {
    expect(lines(...noms)).toEqual(expected);
  });

  it('are omitted without any', () => {
    expect(lines()).toBeUndefined();
  });
});

const volume = (titre: string, more: Partial<Volume> = {}): Volume => ({
  titre,
  auteurs: [{ nom: 'Roger Martin du Gard' }],
  numero: null,
  set: [],
  isComic: false,
  ...more,
});

describe('a jacket', () => {
  it('says the title, the authors and the number in the series', () => {
    const { titre, auteurs, numero } = jacketOf(volume('Épilogue', { numero: '8' }), 208);
    expect({ titre, auteurs, numero }).toEqual({
      titre: 'Épilogue',
      auteurs: 'Roger Martin du Gard',
      numero: '8',
    });
  });

  it('is one of a set from three volumes on', () => {
    const serieOf = (count: number) => ({
      id: count,
      titre: 'Les Thibault',
      parentId: null,
      nombreTomes: null,
      sousSeries: [],
      elements: [],
      places: Array.from({ length: count }, (_, i) => ({
        id: i,
        titre: `Tome ${i}`,
        numero: null,
        tomes: null,
        livreId: null,
        auteur: null,
        isbn: null,
      })),
    });
    expect([2, 3].map((count) => setOf(serieOf(count)).length)).toEqual([0, 3]);
  });

  it('has the letters of the tightest volume of its series', () => {
    const set = ['Épilogue', 'La Consultation', 'L’Été 1914', 'Le Pénitencier'];
    const sizes = set.map((titre) => jacketOf(volume(titre, { set }), 111).titreSize);
    const alone = set.map((titre) => jacketOf(volume(titre), 111).titreSize);
    expect(new Set(sizes).size).toBe(1);
    expect(sizes[0]).toBe(Math.min(...alone));
  });

  it('is drawn no narrower than its letters can be read', () => {
    const small = jacketOf(volume('Épilogue'), 44);
    expect(jacketOf(volume('Épilogue'), 104)).toBe(small);
  });

  it('says the groups of a code without a name', () => {
    const { layout, titre, auteurs } = jacketOf(volume('978-2-253-00823-1', { auteurs: [] }), 104);
    expect({ layout, titre, auteurs }).toEqual({
      layout: 'code',
      titre: '978\n2\n253\n00823\n1',
      auteurs: '',
    });
  });
});
