import { expect, test } from 'vitest';
import { device } from './support/device.ts';
import { household } from './support/household.ts';

/** Each list of records, the button that begins it, and where that leads. */
const LISTS = [
  ['/auteurs', 'Ajouter un livre', '/livres/ajouter'],
  ['/series', 'Ajouter une série', '/series/ajouter'],
  ['/revues', 'Ajouter une revue', '/revues/ajouter'],
  ['/souhaits', 'Ajouter un souhait', '/souhaits/ajouter'],
  ['/prets', 'Ajouter un livre', '/livres/ajouter'],
  ['/lectures', 'Ajouter une lecture', '/lectures/ajouter'],
  ['/lectures/annee', 'Ajouter une lecture', '/lectures/ajouter'],
] as const;

test('an empty list has the button that begins it', async () => {
  const page = await (await device(await household())).open();
  for (const [path, name, leadsTo] of LISTS) {
    await page.goto(new URL(path, page.url()).href);
    const button = page.getByRole('main').getByRole('link', { name, exact: true });
    await button.waitFor();
    expect(new URL((await button.getAttribute('href')) ?? '', page.url()).pathname).toBe(leadsTo);
  }
});
