import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { collectionNames, collections } from '#shared/collections';
import { temporaryFolder } from '../../support/base.ts';
import { openHouse, type House } from '../../support/house.ts';
import { Members, truth } from './maison.ts';
import { lesPas, USERS, type Pull } from './pas.ts';
import { Replica } from './replica.ts';

/** Pulls a collection to its end. */
async function catchUp(house: House, replica: Replica, collection: Pull['collection']) {
  const limite = 5;
  for (;;) {
    const page = await replica.pull(house, collection, limite, 'garde');
    if ('refus' in page || page.nombre < limite) return page;
  }
}

async function checkEnd(house: House, replica: Replica, members: Members): Promise<void> {
  const { base } = house.context;
  for (const collection of collectionNames) {
    const { personal } = collections[collection];
    const page = await catchUp(house, replica, collection);
    if (personal && replica.utilisateur === null) {
      expect(page).toEqual({ refus: 401 });
      continue;
    }
    const { epoque } = base;
    expect(replica.jalon(collection)).toEqual({ epoque, revision: base.revision() });
    expect(replica.documents(collection)).toEqual(truth(base, collection, replica.utilisateur));
  }
  checkPrivacy(replica, members);
}

/** Nothing came that was not the device's own user's, tombstones included. */
function checkPrivacy(replica: Replica, { statuts, souhaits }: Members): void {
  for (const liste of ['souhaits', 'souhaits-revues'] as const)
    for (const { id } of replica.received.get(liste) ?? [])
      expect(souhaits).toContain(`${liste}/${String(replica.utilisateur)}/${String(id)}`);
  for (const document of replica.received.get('statuts') ?? []) {
    const mine = [...statuts].filter((each) =>
      each.startsWith(`${String(replica.utilisateur)}/${String(document.id)}/`),
    );
    expect(mine).not.toEqual([]);
    if ('statut' in document) {
      expect(mine.some((each) => each.endsWith(`/${String(document.statut)}`))).toBe(true);
    }
  }
}

/** The list that the server answers from its memory is what the tables hold. */
async function checkList(house: House): Promise<void> {
  for (const utilisateur of USERS) {
    const { body } = await house.ask(utilisateur, 'GET', '/api/livres');
    const statuts = new Map(
      truth(house.context.base, 'statuts', utilisateur).map(({ id, statut }) => [id, statut]),
    );
    const byId = (body as { id: number }[]).sort((a, b) => a.id - b.id);
    expect(byId).toMatchObject(truth(house.context.base, 'livres', null));
    for (const livre of byId) {
      expect(livre).toMatchObject({ statut: statuts.get(livre.id) ?? null });
    }
  }
}

/** So are its periodicals and issues, and the vocabulary has the words in use. */
async function checkKiosque(house: House): Promise<void> {
  const { base } = house.context;
  const lire = async (path: string) =>
    ((await house.ask(null, 'GET', path)).body as { id: number }[]).sort((a, b) => a.id - b.id);
  expect(await lire('/api/revues')).toEqual(truth(base, 'revues', null));
  const numeros = truth(base, 'numeros', null);
  expect(await lire('/api/numeros')).toEqual(numeros);
  const used = numeros.flatMap(({ themes = [] }) => themes);
  const themes = (await lire('/api/themes')) as { id: number; nom?: string }[];
  expect(themes.map(({ nom }) => nom).sort()).toEqual([...new Set(used)].sort());
}

test(
  'however members write and devices pull, every device ends as the server, and nobody sees another’s',
  { timeout: 300_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(lesPas, async (steps) => {
        const path = join(temporaryFolder(), 'maison.sqlite');
        let house = await openHouse(path);
        const members = new Members();
        const replicas = [...USERS, 'ana' as const].map((who) => new Replica(who));
        for (const step of steps) {
          if (step.pas === 'tirer') {
            const replica = replicas[step.replica % replicas.length];
            await replica?.pull(house, step.collection, step.limite, step.sort);
          } else if (step.pas === 'redemarrer') {
            await house.close();
            house = await openHouse(path);
          } else {
            expect(await members.write(house, step)).toBeLessThan(500);
          }
        }
        await checkList(house);
        await checkKiosque(house);
        for (const replica of replicas) await checkEnd(house, replica, members);
        await house.close();
      }),
      { numRuns: 12 },
    );
  },
);
