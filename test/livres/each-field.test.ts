import { expect, test } from 'vitest';
import { PERTES, PERTES_PAR_FICHIER } from '#shared/export';
import { LIVRE_TEXTS, LivreSaisi, type Livre } from '#shared/livres';
import { LOCALES } from '#shared/locale';
import { objectKeys } from '#shared/object-keys';
import { download, importInto } from '../export/support.ts';
import { atLeastOne } from '../support/at-least-one.ts';
import { temporaryDatabase } from '../support/database.ts';
import { WHOLE_LIVRE } from '../support/entries.ts';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';

const FIELDS = objectKeys(LivreSaisi.properties);
type Field = (typeof FIELDS)[number];

const VALUES = { ...WHOLE_LIVRE, titre: 'Un autre titre', format: 'Numerique' } as const;

/** A minimal book whose title names the field under test. */
const plain = (field: Field): LivreSaisi => ({
  titre: `Le livre de ${field}`,
  format: 'Physique',
});
const only = (field: Field) => ({ ...plain(field), [field]: VALUES[field] });

/** A book in the form of its payload. */
const payloadOf = (livre: Livre): Record<string, unknown> => ({
  ...Object.fromEntries(FIELDS.map((field) => [field, livre[field]])),
  auteurs: livre.auteurs.map(({ nom }) => nom),
});

async function livresOf(house: House): Promise<Map<unknown, Record<string, unknown>>> {
  const livres = (await house.ask('ana', 'GET', '/api/livres')).body as Livre[];
  return new Map(livres.map((livre) => [livre.titre, payloadOf(livre)]));
}

const bookOf = (field: Field): string => (field === 'titre' ? VALUES.titre : plain(field).titre);

/** A household with a book per field: each edited, undone, and edited again. */
async function editedHouse(language: string): Promise<House> {
  const house = await openHouse(undefined, { LANGUAGE: language });
  for (const field of atLeastOne(FIELDS)) {
    const before = await ajouterLivre(house, plain(field), 'ana');
    const path = `/api/livres/${before.id}`;
    const read = async () => payloadOf((await house.ask('ana', 'GET', path)).body as Livre);
    const edited = await house.ask('ana', 'PUT', path, only(field));
    expect(await read(), `${field} after its edit`).toEqual({
      ...payloadOf(before),
      ...only(field),
    });
    const act = edited.headers.get('X-Modification') ?? '';
    await house.ask('ana', 'POST', `/api/modifications/${act}/annulation`);
    expect(await read(), `${field} after the undo of its edit`).toEqual(payloadOf(before));
    await house.ask('ana', 'PUT', path, only(field));
  }
  return house;
}

/** The fields that a table restores completely. */
function fieldsOf(file: 'livres.csv' | 'goodreads.csv'): readonly Field[] {
  const lost: readonly string[] = PERTES_PAR_FICHIER[file].flatMap((perte) => PERTES[perte]);
  return FIELDS.filter((field) => !lost.includes(`livres.${field}`));
}

test.each(LOCALES.flatMap((from) => LOCALES.map((to) => [from, to] as const)))(
  'each field of a book comes alone through an edit, its undo, the archive and the tables, from a house in %s into one in %s',
  async (from, to) => {
    const house = await editedHouse(from);
    const books = await livresOf(house);
    const files = [
      ['export.zip', FIELDS],
      ['export/livres.csv', fieldsOf('livres.csv')],
      ['export/goodreads.csv', fieldsOf('goodreads.csv')],
    ] as const;
    for (const [path, kept] of files) {
      const other = await openHouse(undefined, { LANGUAGE: to });
      const { bytes } = await download(house, `/api/${path}`);
      await importInto(other, bytes, 'essai=false&themes=true');
      const come = await livresOf(other);
      for (const field of atLeastOne(kept)) {
        const [before = {}, after = {}] = [books, come].map((livres) => livres.get(bookOf(field)));
        const fieldsIn = (livre: Record<string, unknown>) =>
          kept.map((name) => [name, livre[name]]);
        expect(fieldsIn(after), `${field} through ${path}`).toEqual(fieldsIn(before));
      }
    }
  },
);

/** Columns without a CHECK, and what limits them instead. */
const BOUNDED_ELSEWHERE: Readonly<Record<string, string>> = {
  titreNormalise: 'made of the title',
  cleOeuvre: 'made of the title',
  couvertureCle: 'a foreign key',
  editeur: 'the payload and the shape of archives, which are younger than the column',
  coverUrl: 'the same',
  ajoutePar: 'the length of a name of a member or of a header',
};

test('the schema refuses an empty text in each column of a book, and a too long one in the typed columns', () => {
  const database = temporaryDatabase();
  const insert = (column: string, value: string) =>
    database.write((tx) => {
      const values: Record<string, string> = {
        titre: 'Sido',
        titreNormalise: 'sido',
        cleOeuvre: 'sido',
        format: 'Physique',
        dateAjout: '2024-01-01T00:00:00.000Z',
        [column]: value,
      };
      const names = Object.keys(values);
      tx.run(
        `INSERT INTO Livre (${names.join()}) VALUES (${names.map((n) => `@${n}`).join()})`,
        values,
      );
    });
  const columns = database
    .all<{ name: string; type: string }>("SELECT name, type FROM pragma_table_info('Livre')")
    .filter(({ name, type }) => type === 'TEXT' && BOUNDED_ELSEWHERE[name] === undefined);
  for (const { name } of atLeastOne(columns))
    expect(() => insert(name, ''), name).toThrow('CHECK constraint failed');
  const isTaken = (name: string, value: string): boolean => {
    try {
      insert(name, value);
      return true;
    } catch {
      return false;
    }
  };
  const unbounded = Object.entries(LIVRE_TEXTS).filter(([name, { maxLength }]) => {
    insert(name, '😀'.repeat(maxLength));
    return isTaken(name, 'x'.repeat(maxLength + 1));
  });
  expect(
    unbounded.flatMap(([name]) => (name in BOUNDED_ELSEWHERE ? [] : name)),
    'without CHECK (length(…) BETWEEN 1 AND …)',
  ).toEqual([]);
});
