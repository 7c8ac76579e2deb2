import { expect, test, vi } from 'vitest';
import type { Base } from '#server/database/base';
import { LiveCatalogue } from '#server/sync/catalogue';
import { Journal } from '#server/sync/journal';
import { temporaryBase } from '../support/base.ts';

const livre = (titre: string) =>
  `INSERT INTO Livre (titre, titreNormalise, cleOeuvre, format, dateAjout) VALUES
     ('${titre}', lower('${titre}'), lower('${titre}'), 'Physique', '2024-01-01T00:00:00.000Z')`;
const pret = (livreId: number) =>
  `INSERT INTO Pret (livreId, emprunteur, datePret) VALUES (${String(livreId)}, 'Zoé', '2024-01-01T00:00:00.000Z')`;

function run(base: Base, ...statements: string[]): void {
  base.write(() => statements.forEach((sql) => base.prepare(sql).run()));
}

function household(...statements: string[]) {
  const base = temporaryBase();
  run(base, ...statements);
  return { base, catalogue: new LiveCatalogue(base, new Journal(base)) };
}

const titles = (catalogue: LiveCatalogue) =>
  [...catalogue.chercher({}, new Map())].map(({ titre }) => titre);

test('holds at once what the database has', () => {
  const { catalogue } = household(
    livre('Sido'),
    livre('Atlas'),
    pret(1),
    "INSERT INTO Statut (livreId, utilisateur, statut) VALUES (1, 'ana', 0), (2, 'bob', 2)",
  );
  expect(titles(catalogue)).toEqual(['Atlas', 'Sido']);
  expect(catalogue.pretOuvert(1)).toMatchObject({ emprunteur: 'Zoé' });
  expect(catalogue.statutsDe('ana')).toEqual(new Map([[1, 0]]));
  expect(catalogue.statutsDe('bob')).toEqual(new Map([[2, 2]]));
  expect(catalogue.statutsDe('zoe')).toEqual(new Map());
  expect(catalogue.statutsDe(null)).toEqual(new Map());
});

test('follows every commit before the write returns', () => {
  const { base, catalogue } = household(livre('Sido'));
  run(
    base,
    livre('Atlas'),
    pret(2),
    "INSERT INTO Statut (livreId, utilisateur, statut) VALUES (2, 'ana', 1)",
  );
  expect(titles(catalogue)).toEqual(['Atlas', 'Sido']);
  expect(catalogue.pretOuvert(2)?.id).toBe(1);
  expect(catalogue.statutsDe('ana')).toEqual(new Map([[2, 1]]));

  run(base, "UPDATE Pret SET dateRetour = '2024-02-01T00:00:00.000Z'", 'DELETE FROM Statut');
  expect(catalogue.pretOuvert(2)).toBeNull();
  expect(catalogue.statutsDe('ana')).toEqual(new Map());

  run(base, 'DELETE FROM Livre WHERE id = 2');
  expect(titles(catalogue)).toEqual(['Sido']);
});

test('takes with the next commit what it could not take with its own', () => {
  const { base, catalogue } = household(livre('Sido'));
  const reported = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const failing = vi.spyOn(catalogue, 'recevoirLivres').mockImplementationOnce(() => {
    throw new Error('plus de mémoire');
  });
  run(base, livre('Atlas'));
  expect(titles(catalogue)).toEqual(['Sido']);
  expect(reported).toHaveBeenCalled();
  run(base, pret(1));
  expect(titles(catalogue)).toEqual(['Atlas', 'Sido']);
  failing.mockRestore();
  reported.mockRestore();
});
