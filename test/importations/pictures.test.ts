import { createHash } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { formatRaison } from '#server/plumbing/common/raisons';
import { CoverStore, giveCover } from '#server/subjects/couvertures/cover-store';
import { makeEssai, requireImportation } from '#server/subjects/importations/importations';
import { pictureTaker, takePictures } from '#server/subjects/importations/pictures';
import { addLivreEntry } from '#server/subjects/livres/livres';
import { picture } from '../couvertures/support/pictures.ts';
import { filesOf, zipOf } from '../export/archive.ts';
import { temporaryDatabase, temporaryFolder } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { openHouse, type House } from '../support/house.ts';
import { sendFile } from './support.ts';

test('each picture of an export is taken once', async () => {
  const content = Buffer.from('une image');
  const name = `couvertures/${createHash('sha256').update(content).digest('hex')}.png`;
  const taken: Buffer[] = [];
  const livres = [{ id: 1, titre: 'Nadja', format: 'Physique' }];
  await makeEssai(temporaryDatabase(), zipOf([...filesOf({ livres }), { name, content }]), {
    ...OPTIONS,
    take: async (each) => taken.push(each),
  });
  expect(taken).toEqual([content]);
});

/** An export with one book and some pictures, all of them unreadable. */
const exportOfPictures = (count: number) =>
  zipOf([
    ...filesOf({ livres: [{ id: 1, titre: 'Nadja', format: 'Physique' }] }),
    ...Array.from({ length: count }, (_, index) => {
      const content = Buffer.from(`image ${index}`);
      const cle = createHash('sha256').update(content).digest('hex');
      return { name: `couvertures/${cle}.png`, content };
    }),
  ]);

const OPTIONS = { utilisateur: 'ana', nom: null, aLire: 'statut', colonnes: null } as const;

test('a file’s size limits how many pixels are decoded', async () => {
  const database = temporaryDatabase();
  let taken = 0;
  const take = async () => {
    taken++;
    return 50_000_000;
  };
  const id = await makeEssai(database, exportOfPictures(5), { ...OPTIONS, take });
  expect(taken).toBe(3);
  const { avertissements } = requireImportation(database, id, 'ana');
  expect(avertissements).toMatchObject([
    { ligne: null, raison: 'couvertures de trop pour ce fichier, laissées de côté : 2' },
  ]);
});

test('pictures are taken until their request is broken off', async () => {
  const request = new AbortController();
  let taken = 0;
  const take = async () => {
    if (++taken === 2) request.abort();
    return 1;
  };
  const { signal } = request;
  await expect(takePictures(exportOfPictures(5), take, signal)).rejects.toMatchObject({
    code: 'FICHIER_INVALIDE',
  });
  expect(taken).toBe(2);
});

test('an unreadable picture of an export is left out', async () => {
  const database = temporaryDatabase();
  const folder = join(temporaryFolder(), 'couvertures');
  const take = pictureTaker(new CoverStore(database, folder));
  const dot = await picture('#ff0000', { width: 5, height: 5, format: 'gif' });
  for (const content of [await picture('#ff0000'), Buffer.from('x'), dot]) await take(content);
  const known = database.values<string>('SELECT cle FROM Couverture');
  expect(known).toHaveLength(1);
});

test('a picture that cannot be written stops the import', async () => {
  const folder = join(temporaryFolder(), 'couvertures');
  const take = pictureTaker(new CoverStore(temporaryDatabase(), folder));
  rmSync(folder, { recursive: true });
  await expect(take(await picture('#0000ff'))).rejects.toThrow('ENOENT');
});

test('a record gets back its picture with its source', () => {
  const database = temporaryDatabase();
  const store = new CoverStore(database, temporaryFolder());
  const couverture = { cle: 'a'.repeat(64), largeur: 2, hauteur: 3, couleur: '#123456' };
  const chosen = () =>
    database.values('SELECT id FROM Livre WHERE couvertureCle = ?', couverture.cle);
  database.write((tx) => {
    for (const titre of ['Un', 'Deux', 'Trois'])
      addLivreEntry(
        tx,
        { titre, format: 'Physique', coverUrl: `https://a.test/${titre}.jpg` },
        null,
      );
    store.note(tx, { ...couverture, type: 'image/png', taille: 5 });
    giveCover(tx, 'Livre', 1, { ...couverture, source: 'personne' });
    giveCover(tx, 'Livre', 2, { ...couverture, source: 'adresse' });
    giveCover(tx, 'Livre', 3, { ...couverture, cle: 'b'.repeat(64), source: 'personne' });
    giveCover(tx, 'Livre', 3, null);
    giveCover(tx, 'Livre', 3);
  });
  expect(chosen()).toEqual([1]);
  expect(
    database.values('SELECT adresse FROM CouvertureAdresse WHERE cle = ?', couverture.cle),
  ).toEqual(['https://a.test/Deux.jpg']);
});

/** An export with one book and its uploaded cover, and another picture that no record refers to. */
async function exportWithCover(): Promise<Buffer> {
  const contents = [
    await picture('#204060', { width: 40, height: 60 }),
    await picture('#604020', { width: 60, height: 40 }),
  ];
  const files = contents.map((content) => {
    const cle = createHash('sha256').update(content).digest('hex');
    return { name: `couvertures/${cle}.png`, cle, content };
  });
  const couverture = {
    cle: files[0]?.cle,
    couleur: '#000000',
    largeur: 40,
    hauteur: 60,
    source: 'personne',
  };
  const livres = [{ id: 1, titre: 'Nadja', format: 'Physique', couverture }];
  return zipOf([...filesOf({ livres }), ...files.map(({ name, content }) => ({ name, content }))]);
}

const picturesOf = ({ context }: House) =>
  readdirSync(context.config.coversPath).filter((name) => /^[0-9a-f]{64}/.test(name));

test('the pictures of a dry run go with it', async () => {
  const path = join(temporaryFolder(), 'b.sqlite');
  const house = await openHouse(path);
  expect((await sendFile(house, await exportWithCover())).status).toBe(200);
  expect(picturesOf(house)).toHaveLength(6);
  // A start keeps the pictures as long as their dry run.
  await house.close();
  const again = await openHouse(path);
  expect(picturesOf(again)).toHaveLength(6);
  again.context.database.write((tx) => tx.run('UPDATE Importation SET date = 0'));
  await again.close();
  const later = await openHouse(path);
  await eventually(() => picturesOf(later)).toEqual([]);
});

test('the pictures of a dry run go when its person deletes it', async () => {
  const house = await openHouse();
  const { body } = await sendFile(house, await exportWithCover());
  expect(picturesOf(house)).toHaveLength(6);
  await house.ask('alice', 'DELETE', `/api/importations/${String(body.id)}`);
  await eventually(() => picturesOf(house)).toEqual([]);
});

test('an executed dry run keeps the pictures of its records', async () => {
  const house = await openHouse();
  await house.ask('alice', 'POST', '/api/livres', { titre: 'Sido', format: 'Physique' });
  const { body } = await sendFile(house, await exportWithCover());
  const executed = `/api/importations/${String(body.id)}/execution`;
  expect((await house.ask('alice', 'POST', executed, {})).status).toBe(200);
  await eventually(() => picturesOf(house).length).toBe(3);
});

test('executing or refusing a dry run keeps the pictures of another upload', async () => {
  const house = await openHouse();
  await house.ask('alice', 'POST', '/api/livres', { titre: 'Sido', format: 'Physique' });
  const { store } = house.context.covers;
  const forget = vi.spyOn(store, 'forget');
  const tidied = () => eventually(() => forget.mock.settledResults.at(-1)?.type).toBe('fulfilled');
  const { body } = await sendFile(house, await exportWithCover());
  await tidied();
  // The unreferenced picture is uploaded again, for a dry run that is still being read.
  await pictureTaker(store)(await picture('#604020', { width: 60, height: 40 }));
  const executed = `/api/importations/${String(body.id)}/execution`;
  expect((await house.ask('bob', 'POST', executed, {})).status).toBe(404);
  forget.mockClear();
  expect((await house.ask('alice', 'POST', executed, {})).status).toBe(200);
  await tidied();
  expect(picturesOf(house)).toHaveLength(6);
});

test('a file that is refused after its pictures leaves none', async () => {
  const house = await openHouse();
  const files = filesOf({ livres: [{ id: 1, titre: 'Nadja', format: 'Physique' }] });
  const content = await picture('#204060', { width: 40, height: 60 });
  const name = `couvertures/${createHash('sha256').update(content).digest('hex')}.png`;
  const cut = files.map((each) =>
    each.name === 'json/livres.json' ? { ...each, content: Buffer.from('[{') } : each,
  );
  const { status } = await sendFile(house, zipOf([...cut, { name, content }]));
  expect(status).toBe(400);
  await eventually(() => picturesOf(house)).toEqual([]);
});

test('no more pictures are taken than there is room for', async () => {
  const taken: Buffer[] = [];
  const take = async (content: Buffer) => taken.push(content);
  const outcome = await takePictures(exportOfPictures(5), take, undefined, 2);
  expect(taken).toHaveLength(2);
  expect(outcome.map((one) => formatRaison(one))).toEqual([
    'couvertures de trop pour ce fichier, laissées de côté : 3',
  ]);
});
