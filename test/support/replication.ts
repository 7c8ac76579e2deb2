import { expect } from 'vitest';
import type { CollectionName } from '#shared/collection-names';
import type { ChangePage, Checkpoint } from '#shared/replication';
import type { Answer, House } from './house.ts';

export function askPage(
  house: Pick<House, 'ask'>,
  utilisateur: string | null,
  from: Partial<Checkpoint> = {},
  limite?: number,
  modifications = false,
): Promise<Answer> {
  const query = new URLSearchParams();
  if (from.epoque !== undefined) query.set('epoque', from.epoque);
  if (from.revision !== undefined) query.set('revision', String(from.revision));
  if (limite !== undefined) query.set('limite', String(limite));
  if (modifications) query.set('modifications', 'true');
  return house.ask(utilisateur, 'GET', `/api/replication?${query.toString()}`);
}

export async function pullPage(...request: Parameters<typeof askPage>): Promise<ChangePage> {
  const { status, body } = await askPage(...request);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as ChangePage;
}

export async function pullAll(
  house: House,
  utilisateur: string | null,
  from?: Checkpoint,
  limite?: number,
  modifications = false,
): Promise<ChangePage> {
  let page = await pullPage(house, utilisateur, from, limite, modifications);
  const changements = [...page.changements];
  while (!page.complet) {
    page = await pullPage(house, utilisateur, page, limite, modifications);
    changements.push(...page.changements);
  }
  return { ...page, changements };
}

/** The documents of one collection after a complete pull, by id. */
export async function documentsOf(
  house: House,
  utilisateur: string | null,
  collection: CollectionName,
): Promise<object[]> {
  const { changements } = await pullAll(house, utilisateur, undefined, undefined, true);
  return changements
    .filter((change) => change.collection === collection && change.document !== null)
    .sort((a, b) => a.id - b.id)
    .map(({ document }) => document ?? {});
}
