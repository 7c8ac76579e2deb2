import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { Livre } from '#shared/livres';
import { temporaryFolder } from '../support/database.ts';
import { openHouse } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { documentsOf } from '../support/replication.ts';
import { souhaiter } from '../support/souhaits.ts';
import { coverOf, image, put } from './support/choosing.ts';
import { keptKeys, photograph, picture, pictureFiles } from './support/pictures.ts';

test('an uploaded picture is stored upright and without metadata, for everyone', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  const before = house.context.database.revision();
  const answer = await put(house, '/api/livres/1/couverture', await photograph());
  expect(answer.status).toBe(200);
  expect(answer.headers['x-modification']).toBeDefined();
  const couverture = coverOf(answer);
  expect(couverture).toMatchObject({ largeur: 400, hauteur: 600, source: 'personne' });
  expect(couverture.couleur).toMatch(/^#[0-9a-f]{6}$/);
  expect(Number(answer.headers['x-revision'])).toBeGreaterThan(before);
  expect(await documentsOf(house, 'bob', 'livres')).toMatchObject([{ couverture }]);

  const sizes = { ligne: [88, 132], page: [400, 600], originale: [400, 600] };
  for (const [taille, [width, height]] of Object.entries(sizes)) {
    const { status, headers, bytes } = await image(house, couverture.cle, taille, 'bob');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'cache-control': 'private, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'content-type': taille === 'originale' ? 'image/jpeg' : 'image/webp',
    });
    expect(headers['etag']).toContain(couverture.cle);
    const known = { 'If-None-Match': headers['etag'] ?? '' };
    expect((await image(house, couverture.cle, taille, 'bob', known)).status).toBe(304);
    const metadata = await sharp(bytes).metadata();
    expect(metadata).toMatchObject({ width, height });
    expect(metadata.exif).toBeUndefined();
    expect(metadata.orientation).toBeUndefined();
    expect(bytes.toString('latin1')).not.toContain('Secret');
  }
});

test('undoing a cover’s change brings back the picture before', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  const red = coverOf(await put(house, '/api/livres/1/couverture', await picture('#ff0000')));
  const blue = await put(house, '/api/livres/1/couverture', await picture('#0000ff'));
  expect(coverOf(blue).cle).not.toBe(red.cle);
  const undo = (modification: string | undefined) =>
    house.ask('ana', 'POST', `/api/modifications/${String(modification)}/annulation`);
  expect((await undo(blue.headers['x-modification'])).status).toBe(201);
  expect((await house.ask('ana', 'GET', '/api/livres/1')).body).toMatchObject({ couverture: red });
  expect((await image(house, red.cle, 'ligne')).status).toBe(200);

  const removed = await house.ask('ana', 'DELETE', '/api/livres/1/couverture');
  expect(removed).toMatchObject({ status: 200, body: { couverture: null } });
  expect((await image(house, red.cle, 'ligne')).status).toBe(404);
  expect((await undo(removed.headers.get('x-modification') ?? '')).status).toBe(201);
  expect((await image(house, red.cle, 'ligne')).status).toBe(200);
  const { body } = await house.ask('ana', 'GET', '/api/modifications');
  expect(JSON.stringify(body)).toContain('Couverture changée : Un titre');
  expect(JSON.stringify(body)).not.toContain(red.cle);
});

test('a restart keeps the pictures that an undoing needs', async () => {
  const path = join(temporaryFolder(), 'maison.sqlite');
  const house = await openHouse(path);
  await ajouterLivre(house);
  const red = coverOf(await put(house, '/api/livres/1/couverture', await picture('#ff0000')));
  const answer = await put(house, '/api/livres/1/couverture', await picture('#0000ff'));
  await house.close();
  const again = await openHouse(path);
  const undo = `/api/modifications/${String(answer.headers['x-modification'])}/annulation`;
  expect((await again.ask('ana', 'POST', undo)).status).toBe(201);
  expect((await image(again, red.cle, 'page')).status).toBe(200);
  again.context.database.write((tx) => tx.prepare('DELETE FROM Modification').run());
  await again.close();
  await openHouse(path);
  const remaining = pictureFiles(join(dirname(path), 'couvertures'));
  expect(remaining.sort()).toEqual(
    [red.cle, `${red.cle}.ligne.webp`, `${red.cle}.page.webp`].sort(),
  );
});

test('a wish has a picture as well, its owner’s alone', async () => {
  const house = await openHouse();
  await souhaiter(house, 'ana');
  const bytes = await picture('#123456');
  expect((await put(house, '/api/souhaits/1/couverture', bytes, 'bob')).status).toBe(404);
  expect((await put(house, '/api/souhaits/1/couverture', bytes, null)).status).toBe(401);
  const wish = coverOf(await put(house, '/api/souhaits/1/couverture', bytes));
  for (const taille of ['ligne', 'page', 'originale']) {
    expect((await image(house, wish.cle, taille, 'ana')).status).toBe(200);
    for (const who of ['bob', null])
      expect((await image(house, wish.cle, taille, who)).status).toBe(404);
  }
  expect((await house.ask('bob', 'DELETE', '/api/souhaits/1/couverture')).status).toBe(404);
  const bought = await house.ask('ana', 'POST', '/api/souhaits/1/achat', {});
  expect(bought).toMatchObject({ status: 201, body: { couverture: { cle: wish.cle } } });
  expect((await image(house, wish.cle, 'ligne', 'bob')).status).toBe(200);
});

test('a change of the address leaves a person’s picture', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  const { cle } = coverOf(await put(house, '/api/livres/1/couverture', await picture('#ff0000')));
  const saisie = { titre: 'Autre', format: 'Physique', coverUrl: 'https://exemple.fr/c.jpg' };
  const { body } = await house.ask('ana', 'PUT', '/api/livres/1', saisie);
  expect(body).toMatchObject({ couverture: { cle, source: 'personne' } });
});

test('a picture is refused when its book changed since', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  const bytes = await picture('#ff0000');
  const stale = { 'If-Match': '"999"' };
  const refused = await put(house, '/api/livres/1/couverture', bytes, 'ana', stale);
  expect(refused.status).toBe(412);
  expect((await house.ask('ana', 'GET', '/api/livres/1')).body).toMatchObject({ couverture: null });
});

test('a book that is not there takes no picture', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  const bytes = await picture('#ff0000');
  expect((await put(house, '/api/livres/9/couverture', bytes)).status).toBe(404);
  await house.ask(null, 'DELETE', '/api/livres/1');
  const seen = { 'If-Match': '"1"' };
  const refused = await put(house, '/api/livres/1/couverture', bytes, 'ana', seen);
  expect(refused.status).toBe(412);
  expect(refused.json()).toMatchObject({ code: 'MODIFIE_ENTRETEMPS', actuel: null });
});

test('a picture refused after its writing leaves no file', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  const { headers } = await house.ask(null, 'GET', '/api/livres/1');
  const seen = { 'If-Match': headers.get('etag') ?? '' };
  const pictures = await Promise.all(['#ff0000', '#0000ff'].map((colour) => picture(colour)));
  const answers = await Promise.all(
    pictures.map((bytes) => put(house, '/api/livres/1/couverture', bytes, 'ana', seen)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
  expect(pictureFiles(house.context.config.coversPath)).toHaveLength(3);
});

test('pictures taken at once for one book are all kept', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  const colours = ['#ff0000', '#00ff00', '#0000ff', '#ffff00'];
  const pictures = await Promise.all(colours.map((colour) => picture(colour)));
  const answers = await Promise.all(
    pictures.map((bytes) => put(house, '/api/livres/1/couverture', bytes)),
  );
  for (const { status } of answers) expect(status).toBe(200);
  const { body } = await house.ask(null, 'GET', '/api/livres/1');
  const { couverture } = body as Livre;
  expect(answers.map((answer) => coverOf(answer).cle)).toContain(couverture?.cle);
  for (const answer of answers)
    for (const taille of ['ligne', 'page', 'originale'] as const)
      expect(
        readFileSync(
          join(
            house.context.config.coversPath,
            coverOf(answer).cle +
              { ligne: '.ligne.webp', page: '.page.webp', originale: '' }[taille],
          ),
        ).length,
      ).toBeGreaterThan(0);
});

test('the same picture for two books is kept once', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  await ajouterLivre(house);
  const bytes = await picture('#ff0000');
  const [a, b] = await Promise.all([
    put(house, '/api/livres/1/couverture', bytes),
    put(house, '/api/livres/2/couverture', bytes),
  ]);
  expect(coverOf(a).cle).toBe(coverOf(b).cle);
  expect(pictureFiles(house.context.config.coversPath)).toHaveLength(3);
  expect(keptKeys(house.context)).toHaveLength(1);
});
