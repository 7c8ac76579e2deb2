import { expect, test } from 'vitest';
import { LivreSaisi } from '#shared/livres';
import { Refusal } from '#shared/refusals';
import { readEntry } from '#server/subjects/livres/livres';

const read = (saisie: Partial<LivreSaisi>) =>
  readEntry({ titre: 'Un titre', format: 'Physique', ...saisie });

function codeOf(saisie: Partial<LivreSaisi>): string {
  try {
    read(saisie);
    return 'accepted';
  } catch (error) {
    if (error instanceof Refusal) return String(error.code);
    throw error;
  }
}

/** An entry whose fields all have the same value. */
const allFields = (value: unknown) =>
  Object.fromEntries(Object.keys(LivreSaisi.properties).map((name) => [name, value]));

test('fields that are left out, null or blank are empty', () => {
  const {
    auteurs: _,
    themes: _t,
    details: _d,
    ...nothing
  } = {
    ...allFields(null),
    auteurs: [],
    themes: [],
    details: [],
    titre: 'Un titre',
    titreNormalise: 'un titre',
    cleOeuvre: 'un titre',
    format: 'Physique',
    typeDocument: 'NonPrecise',
  };
  const required = { titre: 'Un titre', format: 'Physique' } as const;
  expect(read({})).toEqual({ livre: nothing, noms: [], themes: [], details: [] });
  expect(read({ ...allFields(null), ...required })).toEqual({
    livre: nothing,
    noms: [],
    themes: [],
    details: [],
  });
  expect(
    read({ isbn: '', typeDocument: '', coverUrl: ' ', editeur: '', auteurs: ['', { nom: ' ' }] }),
  ).toEqual({ livre: nothing, noms: [], themes: [], details: [] });
});

test('names come as texts or as objects, in order', () => {
  expect(read({ auteurs: ['A', { nom: 'B' }, '', 'A'] }).noms).toEqual(['A', 'B', 'A']);
});

test.each([
  ['9782070612758', '9782070612758'],
  ['978-2-07-061275-8', '9782070612758'],
  ['2-07-061275-9', '9782070612758'],
])('the ISBN %s is kept as %s', (given, kept) => {
  expect(read({ isbn: given }).livre.isbn).toBe(kept);
});

test.each<[Partial<LivreSaisi>, string]>([
  [{ isbn: '9782070612759' }, 'ISBN_INVALIDE'],
  [{ isbn: 'rien' }, 'ISBN_INVALIDE'],
  [{ isbn: '9770181763007' }, 'ISBN_INVALIDE'],
  [{ nombrePages: 0 }, 'NOMBRE_PAGES_INVALIDE'],
  [{ nombrePages: -1 }, 'NOMBRE_PAGES_INVALIDE'],
  [{ nombrePages: 1.5 }, 'NOMBRE_PAGES_INVALIDE'],
  [{ nombrePages: 1_000_001 }, 'REQUETE_INVALIDE'],
  [{ nombrePages: 1 }, 'accepted'],
  [{ nombrePages: 1_000_000 }, 'accepted'],
  [{ coverUrl: 'http://exemple.fr/a.jpg' }, 'accepted'],
  [{ coverUrl: 'HTTPS://exemple.fr/a b.jpg?x=1' }, 'accepted'],
  [{ coverUrl: 'ftp://exemple.fr/a.jpg' }, 'REQUETE_INVALIDE'],
  [{ coverUrl: 'javascript:alert(1)' }, 'REQUETE_INVALIDE'],
  [{ coverUrl: 'data:image/png;base64,AA' }, 'REQUETE_INVALIDE'],
  [{ coverUrl: '/couvertures/a.jpg' }, 'REQUETE_INVALIDE'],
  [{ coverUrl: 'https://' }, 'REQUETE_INVALIDE'],
  [{ coverUrl: 'ht\ntp://exemple.fr' }, 'REQUETE_INVALIDE'],
])('%j: %s', (saisie, expected) => {
  expect(codeOf(saisie)).toBe(expected);
});

test('too great a count of pages names its field', () => {
  expect(() => read({ nombrePages: 1_000_001 })).toThrow(
    expect.objectContaining({
      details: {
        champs: [
          { champ: 'nombrePages', code: 'TROP_DE_PAGES', arguments: { maximum: 1_000_000 } },
        ],
      },
    }),
  );
});

test('the cover address is kept as it was typed', () => {
  expect(read({ coverUrl: 'HTTP://Exemple.FR/É.jpg' }).livre.coverUrl).toBe(
    'HTTP://Exemple.FR/É.jpg',
  );
});
