import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { connect } from '#server/plumbing/database/connection';
import { Database } from '#server/plumbing/database/database';
import { readMigrations } from '#server/plumbing/database/migrations';
import { temporaryFolder } from '../support/database.ts';
import { openHouse } from '../support/house.ts';

/** The migration before `Trace`: modifications contain their steps, imports the records they created. */
const BEFORE = 45;

type Row = Readonly<Record<string, unknown>>;

interface Step {
  readonly table: string;
  readonly avant: Row | null;
  readonly apres: Row | null;
}

/** A household of that time, with rows and modifications in their old format. */
async function openOlderHouse(rows: readonly string[], acts: readonly (readonly [Row, Step[]])[]) {
  const path = join(temporaryFolder(), 'maison.sqlite');
  Database.open(path, readMigrations().slice(0, BEFORE)).close();
  const old = connect({ path, coversUrl: '' });
  for (const row of rows) old.exec(row);
  for (const [act, steps] of acts) {
    const text = JSON.stringify(steps);
    const stored = {
      date: new Date().toISOString(),
      utilisateur: 'ana',
      proprietaire: '',
      operation: 'modifierLivre',
      undone: 'La modification {} est annulée',
      resume: 'Livre modifié : Sido',
      fiches: '[]',
      importationId: null,
      ...act,
      steps: steps.length > 1 ? deflateRawSync(text) : text,
    };
    const names = Object.keys(stored);
    old
      .prepare(
        `INSERT INTO Modification (${names.join(', ')}) VALUES (${names.map((name) => `@${name}`).join(', ')})`,
      )
      .run(stored);
  }
  old.close();
  return openHouse(path);
}

const LIVRE = `INSERT INTO Livre (id, titre, titreNormalise, cleOeuvre, format, annee, dateAjout)
  VALUES (1, 'Sido', 'sido', 'sido', 'Physique', 1930, '2026-01-01T00:00:00.000Z')`;

const undo = (id: number) => `/api/modifications/${String(id)}/annulation`;

test('acts kept before are undone after the upgrade', async () => {
  const auteur = (id: number, nom: string, cle: string) =>
    `INSERT INTO Auteur (id, nom, nomNormalise, cleRegroupement) VALUES (${String(id)}, '${nom}', '${cle}', '${cle}')`;
  const gone = { id: 2, nom: 'Willy', nomNormalise: 'willy', cleRegroupement: 'willy' };
  const house = await openOlderHouse(
    [
      LIVRE,
      auteur(1, 'Colette', 'colette'),
      auteur(2, 'Willy', 'willy'),
      'INSERT INTO LivreAuteur VALUES (1, 1, 0)',
      'DELETE FROM Auteur WHERE id = 2',
    ],
    [
      [
        { operation: 'fusionnerAuteurs', undone: 'La réunion est annulée' },
        [
          {
            table: 'LivreAuteur',
            avant: { livreId: 1, auteurId: 2 },
            apres: { livreId: 1, auteurId: 1 },
          },
          { table: 'Auteur', avant: { ...gone, formePleine: null }, apres: null },
        ],
      ],
      [{}, [{ table: 'Livre', avant: { id: 1, annee: 1929 }, apres: { id: 1, annee: 1930 } }]],
    ],
  );
  const livre = async () => (await house.ask('ana', 'GET', '/api/livres/1')).body;
  for (const id of [2, 1]) {
    const { status, body } = await house.ask('ana', 'POST', undo(id));
    expect(status, JSON.stringify(body)).toBe(201);
  }
  expect(await livre()).toMatchObject({ annee: 1929, auteurs: [{ id: 2, nom: 'Willy' }] });
});

test('a deletion kept before is no obstacle to a merge', async () => {
  const named = (auteurId: number) => ({ livreId: 1, auteurId, position: 0 });
  const auteur = (id: number, nom: string) => ({
    id,
    nom,
    nomNormalise: nom.toLowerCase(),
    cleRegroupement: nom.toLowerCase(),
    formePleine: null,
    nomChoisi: 0,
  });
  const livre = {
    id: 1,
    titre: 'Sido',
    titreNormalise: 'sido',
    cleOeuvre: 'sido',
    format: 'Physique',
    dateAjout: '2026-01-01T00:00:00.000Z',
  };
  const house = await openOlderHouse(
    [
      "INSERT INTO Auteur (id, nom, nomNormalise, cleRegroupement) VALUES (2, 'Willy', 'willy', 'willy')",
      'DELETE FROM Auteur WHERE id = 2',
      "INSERT INTO Auteur (id, nom, nomNormalise, cleRegroupement) VALUES (1, 'Colette', 'colette', 'colette')",
    ],
    [
      [
        { operation: 'fusionnerAuteurs', undone: 'La réunion est annulée' },
        [
          { table: 'LivreAuteur', avant: named(2), apres: named(1) },
          { table: 'Auteur', avant: auteur(2, 'Willy'), apres: null },
        ],
      ],
      [
        { operation: 'supprimerLivre' },
        [
          { table: 'LivreAuteur', avant: named(1), apres: null },
          { table: 'Livre', avant: livre, apres: null },
        ],
      ],
    ],
  );
  for (const id of [1, 2]) {
    const { status, body } = await house.ask('ana', 'POST', undo(id));
    expect(status, JSON.stringify(body)).toBe(201);
  }
  expect((await house.ask('ana', 'GET', '/api/livres/1')).body).toMatchObject({
    auteurs: [{ nom: 'Willy' }],
  });
});

test('an earlier version’s import can be undone', async () => {
  const made = {
    livres: [1, 2],
    statuts: [[1, 2]],
    souhaits: [],
    prets: [],
    series: [1],
    places: [1],
    filled: [],
    pretDigests: [],
  };
  const keys = [1, 2].map((id) => ({ table: 'Livre', avant: null, apres: { id } }));
  const house = await openOlderHouse(
    [
      LIVRE,
      LIVRE.replace("(1, 'Sido'", "(2, 'Ida'"),
      "INSERT INTO Auteur (id, nom, nomNormalise, cleRegroupement) VALUES (1, 'Colette', 'colette', 'colette')",
      'INSERT INTO LivreAuteur VALUES (1, 1, 0), (2, 1, 0)',
      "INSERT INTO Statut VALUES (1, 'ana', 2)",
      "INSERT INTO Serie (id, titre, position) VALUES (1, 'Mer', 0)",
      "INSERT INTO Place (id, serieId, position, titre, livreId) VALUES (1, 1, 0, 'Sido', 1)",
      `INSERT INTO Importation (id, utilisateur, date, etat, format, encodage, aLire, headers, counts, made)
       VALUES (1, 'ana', ${String(Date.now())}, 'faite', 'table', 'utf-8', 'statut', '[]',
         '{"statuts":1,"prets":0,"series":1,"avertissements":[]}', '${JSON.stringify(made)}')`,
    ],
    [
      [{ operation: 'importer', undone: '', resume: 'Import : 2 livres', importationId: 1 }, keys],
      [{}, [{ table: 'Livre', avant: { id: 2, annee: null }, apres: { id: 2, annee: 1930 } }]],
    ],
  );
  // The second book was edited since, according to its modification.
  const { body } = await house.ask('ana', 'DELETE', '/api/importations/1');
  expect(body).toEqual({ retires: 1, gardes: 1 });
  expect((await house.ask('ana', 'GET', '/api/livres')).body).toMatchObject([{ titre: 'Ida' }]);
  expect((await house.ask('ana', 'GET', '/api/series')).body).toEqual([]);
  expect((await house.ask('ana', 'GET', '/api/auteurs')).body).toMatchObject([{ nom: 'Colette' }]);
});
