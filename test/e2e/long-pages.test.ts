import { expect, test } from 'vitest';
import { accessibilityFaults } from './support/accessibility.ts';
import { device } from './support/device.ts';
import { household } from './support/household.ts';

const COUNT = 120;

const numbers = `(WITH RECURSIVE n (value) AS (VALUES (1) UNION ALL SELECT value + 1 FROM n LIMIT ${String(COUNT)}) SELECT value FROM n)`;

test('long lists of loans and books are rendered in portions, and found and printed completely', async () => {
  const house = await household();
  await house.rewrite((tx) => {
    tx.run(`INSERT INTO Livre (id, titre, titreNormalise, cleOeuvre, format, dateAjout)
      SELECT value, 'Livre ' || value, 'livre ' || value, 'livre ' || value, 'Physique', '2026-01-01T00:00:00.000Z'
      FROM ${numbers}`);
    tx.run(`INSERT INTO Pret (livreId, emprunteur, datePret)
      SELECT value, 'Voisine ' || value, printf('2026-01-01T12:%02d:%02d.000Z', value / 60, value % 60) FROM ${numbers}`);
  });
  const page = await (await device(house)).open('/prets');
  const person = (nth: number) =>
    page.getByRole('region', { name: `Voisine ${String(nth)}`, exact: true });
  const back = (nth: number) => person(nth).getByRole('button', { name: 'Rendu' });
  await back(1).waitFor();
  expect(await person(COUNT).innerText()).toContain(`Livre ${String(COUNT)}`);
  expect(await back(COUNT).count()).toBe(0);
  expect(await accessibilityFaults(page, '/prets: six score borrowers')).toEqual([]);
  await person(COUNT).scrollIntoViewIfNeeded();
  await back(COUNT).waitFor();

  await page.goto(`${house.url}/imprimer`);
  const ends = () => page.locator('.catalogue li .end').count();
  await page.getByText(`${String(COUNT)} livres, par auteur`).waitFor();
  await page.emulateMedia({ media: 'print' });
  await expect.poll(ends).toBe(COUNT);
});

test('a room of many shelves is rendered in portions until it is complete', async () => {
  const house = await household();
  await house.rewrite((tx) => {
    tx.run(`INSERT INTO Emplacement (id, nom, nomNormalise, parentId, position) VALUES
      (1001, 'Salon', 'salon', NULL, 1), (1002, 'Bureau', 'bureau', NULL, 2)`);
    tx.run(`INSERT INTO Emplacement (id, nom, nomNormalise, parentId, position)
      SELECT value, 'Rayon ' || value, 'rayon ' || value, 1001 + value % 2, value FROM ${numbers}`);
  });
  const page = await (await device(house)).open('/rangement');
  const shelves = page.getByRole('link', { name: /^Rayon / });
  await expect.poll(() => shelves.count()).toBe(COUNT);
});
