import type { Locator, Page } from 'playwright';
import { expect } from 'vitest';
import type { Device } from './device.ts';

type Liste = 'Livres' | 'Revues';

const liste = (page: Page, nom: Liste): Locator => page.getByRole('list', { name: nom });

/** The row of a wish. */
export const souhait = (page: Page, titre: string): Locator =>
  page.getByRole('listitem', { name: titre, exact: true });

/** Waits until a list shows these titles in this order. */
export const montre = (page: Page, nom: Liste, titres: readonly string[]): Promise<void> =>
  expect
    .poll(
      () =>
        liste(page, nom)
          .getByRole('listitem')
          .evaluateAll((lignes) => lignes.map((ligne) => ligne.getAttribute('aria-label'))),
      { timeout: 15_000 },
    )
    .toEqual(titres);

/** Presses a button of a wish's row, unfolded first where the screen is narrow. */
export async function faire(page: Page, titre: string, bouton: string): Promise<void> {
  const ligne = souhait(page, titre);
  const deplier = ligne.getByRole('button', { name: titre, exact: true });
  await ligne.waitFor();
  if ((await deplier.count()) > 0 && (await deplier.getAttribute('aria-expanded')) === 'false')
    await deplier.click();
  await ligne.getByRole('button', { name: bouton, exact: true }).click();
}

export const poignee = (page: Page, titre: string): Locator =>
  page.getByRole('button', { name: `Déplacer « ${titre} »` });

/** Leaves a device without news of the lists until the returned function is called. */
export function sansNouvelles({ portal }: Device): () => void {
  const { promise, resolve } = Promise.withResolvers<null>();
  portal.delay = (path) =>
    path.startsWith('/api/replication/souhaits') ? promise : Promise.resolve();
  return () => resolve(null);
}
