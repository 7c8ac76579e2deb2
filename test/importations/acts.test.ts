import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ImportationCounts } from '#shared/importations';
import { Refusal } from '#shared/refusals';
import type { Transaction } from '#server/plumbing/database/connection';
import { listModifications, nextModificationId } from '#server/subjects/modifications/changesets';
import type { Change } from '#server/plumbing/writes/traces';
import { annulerImportation, keepImportation } from '#server/subjects/importations/apply';
import {
  beginReading,
  executerEssai,
  exporterRefus,
  keepEssai,
  makeEssai,
  openEssai,
  requireImportation,
  listerImportations,
  listerLignes,
  listerSeriesProposees,
  readFichier,
} from '#server/subjects/importations/importations';
import { addLivreEntry } from '#server/subjects/livres/livres';
import { archiveOf } from '../export/archive.ts';
import { temporaryDatabase, temporaryFolder } from '../support/database.ts';
import { recordsOf } from '../support/records.ts';
import { goodreads, table } from './samples.ts';

const OPTIONS = { utilisateur: 'ana', nom: null, aLire: 'statut', colonnes: null } as const;

function open() {
  const database = temporaryDatabase();
  const records = recordsOf(database);
  const read = (file: string | Buffer, options: Partial<Parameters<typeof makeEssai>[2]> = {}) =>
    makeEssai(database, Buffer.from(file), { ...OPTIONS, ...options });
  return { database, records, read };
}

const COUNTS: ImportationCounts = {
  nouveaux: 0,
  presents: 0,
  souhaits: 0,
  completes: 0,
  statuts: 0,
  prets: 0,
  series: 0,
  lectures: 0,
  notes: 0,
  datesDeLecture: 0,
};
const REST = { shared: 0, personal: 0, filled: 0, refused: 0, returned: 0 };

type Counts = Partial<typeof COUNTS> & { readonly rest?: Partial<typeof REST> };

const SHARED_REST = 'Import : 2 autres fiches, 1 fiche complétée, 2 fusions refusées';

/** The captured insertion of a row, personal or shared. */
function insertion(utilisateur?: string): Change {
  const row = { id: 1, ...(utilisateur !== undefined && { utilisateur }) };
  return { table: 'Statut', cle: '1', avant: null, apres: row, seq: 1 };
}

test.each<[Counts, Change[], string | undefined, string | undefined]>([
  [{ nouveaux: 1 }, [insertion()], 'Import : 1 livre', ''],
  [{ rest: { returned: 2 } }, [insertion()], 'Import : 2 prêts rendus', ''],
  [
    { nouveaux: 2, prets: 1, series: 3, souhaits: 4 },
    [insertion(), insertion('ana')],
    'Import : 2 livres, 1 prêt, 3 séries',
    '',
  ],
  [{ nouveaux: 1200 }, [insertion()], 'Import : 1\u202f200 livres', ''],
  [{ souhaits: 2, statuts: 1 }, [insertion('ana')], 'Import : 2 souhaits, 1 statut', 'ana'],
  [{ statuts: 2 }, [insertion('ana')], 'Import : 2 statuts', 'ana'],
  [{ statuts: 2 }, [insertion('ana'), insertion()], 'Import : noms d’auteurs', ''],
  [{ rest: { shared: 2, personal: 3, filled: 1, refused: 2 } }, [insertion()], SHARED_REST, ''],
  [{ rest: { personal: 1 } }, [insertion('ana')], 'Import : 1 autre fiche', 'ana'],
  [{}, [], undefined, undefined],
])('an import of %j, %j is listed as « %s »', async (said, changes, resume, proprietaire) => {
  const { rest, ...ofRows } = said;
  const { database, records, read } = open();
  const id = await read('Titre\nA\n');
  const counts = { ofRows: { ...COUNTS, ...ofRows }, rest: { ...REST, ...rest } };
  const openAct = (tx: Transaction) => ({ id: nextModificationId(tx), result: null, changes });
  database.write((tx) => keepImportation(records.within(tx), openAct(tx), { id, counts }, 'ana'));
  const entries = listModifications(database, 'ana', { limite: 1 }, 'fr').map((act) => ({
    resume: act.resume,
    operation: act.operation,
    utilisateur: act.utilisateur,
    proprietaire: database.value('SELECT proprietaire FROM Modification WHERE id = ?', act.id),
  }));
  const act = { resume, proprietaire, operation: 'importer', utilisateur: 'ana' };
  expect(entries).toEqual(resume === undefined ? [] : [act]);
});

test.each([
  ['Titre\nA\nB\n', 'Import annulé : 2 livres retirés'],
  ['Titre\nA\nB\nSido\n', 'Import annulé : 2 livres retirés, 1 livre gardé'],
  ['Titre\nSido\nIda\n', 'Import annulé : 2 livres gardés'],
  ['Titre,Statut\nA,souhaits\n', 'Import annulé'],
])('undoing %j is listed as « %s »', async (file, resume) => {
  const { database, records, read } = open();
  const id = await read(file);
  database.write((tx) => executerEssai(records.within(tx), id, 'ana'));
  database.write((tx) => tx.run("UPDATE Livre SET annee = 1929 WHERE titre IN ('Sido', 'Ida')"));
  database.write((tx) => annulerImportation(records.within(tx), id, 'ana'));
  expect(listModifications(database, 'ana', { limite: 1 }, 'fr')).toMatchObject([
    { resume, operation: 'annulerImportation' },
  ]);
});

test('an import by an unknown caller is visible to everyone', async () => {
  const { database, records, read } = open();
  const id = await read('Titre\nA\n', { utilisateur: null });
  database.write((tx) => executerEssai(records.within(tx), id, null));
  expect(database.get('SELECT utilisateur, proprietaire FROM Modification')).toEqual({
    utilisateur: null,
    proprietaire: '',
  });
  expect(listerImportations(database, null)).toMatchObject([{ id, etat: 'faite' }]);
  expect(listerImportations(database, 'ana')).toMatchObject([{ id }]);
});

test('a plan is made again if the household has changed', async () => {
  const { database, records } = open();
  const essai = await readFichier(database, Buffer.from('Titre\nIda\nSido\n'), OPTIONS);
  database.write((tx) => {
    addLivreEntry(tx, { titre: 'Sido', format: 'Physique', auteurs: [] }, null);
  });
  const id = await keepEssai(essai, async (work) => database.write(work));
  database.write((tx) => {
    openEssai(tx, id, essai);
    return executerEssai(records.within(tx), id, 'ana', {}, essai.planned);
  });
  const lignes = [...listerLignes(database, id, 'ana', {}).lignes];
  expect(lignes.map(({ sort }) => sort)).toEqual(['nouveau', 'present']);
});

test('an incomplete dry run is hidden, and deleted once reading has ended', async () => {
  const { database } = open();
  const essai = await readFichier(database, Buffer.from('Titre\nIda\n'), OPTIONS);
  const keep = () => keepEssai(essai, async (work) => database.write(work));
  const [endFirst, endSecond] = [beginReading(database), beginReading(database)];
  const [id, other] = [await keep(), await keep()];
  expect(() => requireImportation(database, id, 'ana')).toThrow(new Refusal('INTROUVABLE'));
  expect(listerImportations(database, 'ana')).toEqual([]);
  const ids = () => database.values('SELECT id FROM Importation');
  await endFirst();
  expect(ids()).toEqual([id, other]);
  database.write((tx) => openEssai(tx, other, essai));
  await endSecond();
  expect(ids()).toEqual([other]);
});

test('an import lists its counts and each row’s outcome', async () => {
  const { database, read } = open();
  database.write((tx) =>
    addLivreEntry(tx, { titre: 'Sido', format: 'Physique', auteurs: [] }, null),
  );
  const file = table(
    ['Titre', '', 'Auteurs', 'Statut', 'Prêté à', 'Série'],
    [
      { Titre: 'Sido', Statut: 'lu' },
      { Titre: 'Ida', Statut: 'lu', 'Prêté à': 'Zoé', Série: 'Suite' },
      { Titre: 'Emma', 'Prêté à': 'Luc' },
      { Titre: 'Ubik', Statut: 'souhaits' },
      { Titre: 't'.repeat(501) },
      { Auteurs: 'Colette', Statut: 'lu' },
      { Auteurs: 'a'.repeat(300) },
    ],
  );
  const id = await read(file, {
    nom: 'livres.csv',
    colonnes: {
      titre: 'Titre',
      auteurs: 'Auteurs',
      statut: 'Statut',
      emprunteur: 'Prêté à',
      serie: 'Série',
    },
  });
  const importation = requireImportation(database, id, 'ana');
  expect(importation).toMatchObject({
    etat: 'essai',
    nom: 'livres.csv',
    lignes: 7,
    nouveaux: 2,
    presents: 1,
    souhaits: 1,
    statuts: 2,
    prets: 2,
    series: 1,
    enRecherche: 0,
    refuses: [
      { ligne: 6, texte: `${'t'.repeat(199)}…` },
      { ligne: 7, texte: 'Colette · lu' },
      { ligne: 8, texte: `${'a'.repeat(199)}…` },
    ],
    entetes: ['Titre', 'Auteurs', 'Statut', 'Prêté à', 'Série'],
  });
  expect(importation.exemples).toHaveLength(5);
  const fate = (sort: 'nouveau' | 'refuse' | undefined) => {
    const { total, lignes } = listerLignes(database, id, 'ana', { sort, limite: 1 });
    return { total, lignes: [...lignes] };
  };
  expect(fate('nouveau')).toMatchObject({ total: 2, lignes: [{ titre: 'Ida' }] });
  expect(fate('refuse')).toMatchObject({ total: 3, lignes: [{ ligne: 6 }] });
  expect(fate(undefined)).toMatchObject({ total: 7, lignes: [{ titre: 'Sido' }] });
  expect(() => requireImportation(database, id, 'bob')).toThrow();
  // The mapping is remembered from now on.
  const again = await read(file.replace('Ida', 'Idylle'));
  expect(requireImportation(database, again, 'ana')).toMatchObject({
    nouveaux: 2,
    colonnes: importation.colonnes,
  });
});

test('refused rows come out in the columns of their file', async () => {
  const { database, records, read } = open();
  const file = 'Titre,Raison,Éditeur\n,ancienne,Seuil\nSido,,\n,,\n,,"a,b"\n';
  const id = await read(file, { colonnes: { titre: 'Titre', editeur: 'Éditeur' } });
  database.write((tx) =>
    executerEssai(records.within(tx), id, 'ana', { decisions: [{ ligne: 3, sort: 'ignorer' }] }),
  );
  expect([...exporterRefus(database, id, 'ana')].join('')).toBe(
    '\ufeffTitre,Éditeur,Raison\r\n,Seuil,ni titre ni ISBN valable\r\n,"a,b",ni titre ni ISBN valable\r\n',
  );
});

test('a dry run proposes the fullest of its series first', async () => {
  const { database, records, read } = open();
  const titles = ['A (Un, #1)', 'B (Deux, #1)', 'C (Deux, #2)', 'D (Autre, #1)'];
  const id = await read(goodreads(...titles.map((Title) => ({ Title }))));
  const proposed = (of: number) =>
    listerSeriesProposees(database, of, 'ana').map(({ titre, volumes }) => `${titre} ${volumes}`);
  expect(proposed(id)).toEqual(['Deux 2', 'Autre 1', 'Un 1']);
  database.write((tx) => executerEssai(records.within(tx), id, 'ana'));
  expect(proposed(id)).toEqual([]);
  const place = (n: number) => ({ id: n, titre: `Tome ${n}`, position: n });
  const series = [{ id: 1, titre: 'Neuve', places: [place(1), place(2)] }];
  const exported = await read(archiveOf({ series }));
  expect(proposed(exported)).toEqual(['Neuve 2']);
  expect(requireImportation(database, exported, 'ana').series).toBe(1);
});

test('a file without a row leaves no dry run', async () => {
  const { database, read } = open();
  for (const file of ['Titre\n', archiveOf({}), archiveOf({ livres: [] })])
    await expect(read(file)).rejects.toThrow('Ce fichier n’a aucune ligne.');
  expect(listerImportations(database, 'ana')).toEqual([]);
});

test('an export of magazines alone makes an empty dry run', async () => {
  const { database, read } = open();
  const revues = [{ id: 1, titre: 'Rivages' }];
  expect(requireImportation(database, await read(archiveOf({ revues })), 'ana')).toMatchObject({
    lignes: 0,
  });
});

test('a warning of the first record is given once', async () => {
  const { database, records, read } = open();
  const file = [{ title: 'A', books_id: 1, isbn: ['9782070360025'], copies: 1 }];
  const id = await read(JSON.stringify(file));
  const { answer } = database.write((tx) => executerEssai(records.within(tx), id, 'ana'));
  expect(answer.avertissements).toMatchObject([{ ligne: 1 }]);
  expect(answer.raisons).toMatchObject([{ nombre: 1, lignes: [1] }]);
  expect(answer.avertissements).toEqual(requireImportation(database, id, 'ana').avertissements);
});

test('a warning about a whole file stays after the import', async () => {
  const { database, records, read } = open();
  const id = await read('Titre\nCafÃ©\n');
  const remarks = [{ ligne: null, raison: 'accents réparés dans 1 ligne' }];
  expect(requireImportation(database, id, 'ana').avertissements).toMatchObject(remarks);
  database.write((tx) => executerEssai(records.within(tx), id, 'ana'));
  expect(requireImportation(database, id, 'ana').avertissements).toMatchObject(remarks);
});

test('an export at a path becomes a dry run', async () => {
  const { database } = open();
  const path = join(temporaryFolder(), 'export.zip');
  writeFileSync(path, archiveOf({ livres: [{ id: 1, titre: 'Nadja', format: 'Physique' }] }));
  const id = await makeEssai(database, path, OPTIONS);
  expect(requireImportation(database, id, 'ana')).toMatchObject({
    format: 'rayonnage',
    nouveaux: 1,
    exemples: [],
  });
});

test('a person’s mapping is remembered for tables with these columns', async () => {
  const { database, read } = open();
  const file = 'Quoi;Qui\nSido;Colette\n';
  await expect(read(file)).rejects.toThrow('Ce fichier n’est pas reconnu');
  await read(file, { colonnes: { titre: 'Quoi' } });
  const again = await read('QUOI;qui\nIda;\n');
  expect(requireImportation(database, again, 'ana')).toMatchObject({
    nouveaux: 1,
    colonnes: { titre: 'Quoi' },
  });
});

test('« à lire » becomes a wish where its person wants that', async () => {
  const { database, read } = open();
  const file = goodreads({ Title: 'Sido', 'Exclusive Shelf': 'to-read' });
  for (const [aLire, souhaits] of [
    ['statut', 0],
    ['souhait', 1],
  ] as const)
    expect(requireImportation(database, await read(file, { aLire }), 'ana')).toMatchObject({
      souhaits,
    });
});

test('dry runs of yesterday go with the next one', async () => {
  const { database, read } = open();
  await read('Titre\nA\n');
  database.write((tx) => tx.run('UPDATE Importation SET date = 0'));
  const id = await read('Titre\nB\n');
  expect(database.values('SELECT id FROM Importation')).toEqual([id]);
});
