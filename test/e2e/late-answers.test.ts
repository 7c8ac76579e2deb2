import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { ajouterSerie, listerSeries } from './support/collections.ts';
import { device } from './support/device.ts';
import { told } from './support/feedback.ts';
import { follow } from './support/follow.ts';
import { holdWrites } from './support/hold-writes.ts';
import { household } from './support/household.ts';

const press = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true }).click();

interface Case {
  readonly path: string;
  /** What is held back of what is asked. */
  readonly held: RegExp;
  readonly act: (page: Page) => Promise<unknown>;
  /** Waits until the answer has done all that it does. */
  readonly done: (page: Page) => Promise<unknown>;
}

test('a late answer leaves whoever has gone elsewhere where they are', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Désert', themes: ['Voyage'] });
  await house.ajouter({ titre: 'Onitsha', themes: ['Voyage'] });
  const serie = await ajouterSerie(house, {
    titre: 'Fondation',
    parentId: null,
    nombreTomes: null,
  });
  const lecture = await house.noter('alice', { titre: 'Regain', debut: '2026-03-01' });
  const phone = await device(house);
  const page = await phone.open('/prets');
  const cases: readonly Case[] = [
    {
      path: '/themes/voyage',
      held: /^\/api\/themes/,
      act: async () => {
        await press(page, 'Renommer');
        await page.getByLabel('Nom', { exact: true }).fill('Ailleurs');
        await press(page, 'Enregistrer');
      },
      done: () => told(page, /Ailleurs/),
    },
    {
      path: `/livres/${livre.id}`,
      held: /^\/api\/livres/,
      act: () => press(page, 'Supprimer'),
      done: () => told(page, /Désert/),
    },
    {
      path: `/series/${serie.id}`,
      held: /^\/api\/series/,
      act: () => press(page, 'Supprimer'),
      done: () => told(page, /Fondation/),
    },
    {
      path: `/lectures/${lecture.id}`,
      held: /^\/api\/lectures/,
      act: () => press(page, 'Supprimer'),
      done: () => told(page, /Regain/),
    },
    {
      path: '/series/ajouter',
      held: /^\/api\/series/,
      act: async () => {
        await page.getByLabel('Titre', { exact: true }).fill('Robots');
        await press(page, 'Enregistrer');
      },
      done: () => told(page, /Robots/),
    },
    {
      path: '/importer',
      held: /^\/api\/importations\?/,
      act: async () => {
        await page.getByLabel(/ISBN/).fill('9782070360024');
        await press(page, 'Vérifier');
      },
      done: async () => {
        await expect.poll(() => countImportations(house.url)).toBe(1);
      },
    },
  ];
  for (const { path, held, act, done } of cases) {
    await follow(page, path);
    const release = holdWrites(phone, held);
    await act(page);
    await follow(page, '/prets');
    const visited: string[] = [];
    const note = () => void visited.push(new URL(page.url()).pathname + new URL(page.url()).search);
    page.on('framenavigated', note);
    release();
    await done(page);
    // Whatever the answer leads to begins in the turn after it.
    await page.evaluate(
      () => new Promise((resume) => requestAnimationFrame(() => requestAnimationFrame(resume))),
    );
    await follow(page, '/revues');
    page.off('framenavigated', note);
    expect(visited, path).toEqual(['/revues']);
  }
  expect((await listerSeries(house)).map(({ titre }) => titre)).toEqual(['Robots']);
});

async function countImportations(url: string): Promise<number> {
  const response = await fetch(`${url}/api/importations`, { headers: { SSO_USER: 'alice' } });
  return ((await response.json()) as object[]).length;
}
