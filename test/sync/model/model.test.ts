// @module-tag random
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { collectionNames } from '#shared/collection-names';
import { collections } from '#shared/collections';
import type { Database } from '#server/plumbing/database/database';
import { temporaryFolder } from '../../support/database.ts';
import { cases } from '../../support/random.ts';
import { openHouse, type House } from '../../support/house.ts';
import { Members } from './members.ts';
import { Replica } from './replica.ts';
import { steps, USERS } from './steps.ts';
import { truth } from './truth.ts';

const DAY_MS = 86_400_000;

async function checkEnd(house: House, replica: Replica, members: Members): Promise<void> {
  const { database } = house.context;
  await replica.catchUp(house, 5);
  expect(replica.revision).toBe(database.revision());
  for (const collection of collectionNames)
    expect(replica.documents(collection), collection).toEqual(
      collection === 'modifications' && !replica.hasModifications
        ? []
        : truth(database, collection, replica.utilisateur),
    );
  checkPrivacy(database, replica, members);
  checkModifications(database, replica);
}

/** Checks that no personal change of another user has arrived, including tombstones. */
function checkPrivacy(
  database: Database,
  { utilisateur, received }: Replica,
  { statuts, souhaits }: Members,
): void {
  const ownLectures = database.values<number>(
    "SELECT id FROM Journal WHERE collection = 'lectures' AND utilisateur = ?",
    utilisateur,
  );
  for (const { collection, id, document } of received) {
    if (collection === 'selections' && document !== null && 'nom' in document)
      expect('partagee' in document && document.partagee ? utilisateur : document.nom).toSatisfy(
        (whose) => whose === utilisateur || String(whose).endsWith(String(utilisateur)),
      );
    if (collections[collection].personal !== true) continue;
    if (collection === 'lectures') {
      expect(ownLectures).toContain(id);
      continue;
    }
    if (collection !== 'statuts') {
      expect(souhaits).toContain(`${collection}/${String(utilisateur)}/${String(id)}`);
      continue;
    }
    const own = [...statuts].filter((each) =>
      each.startsWith(`${String(utilisateur)}/${String(id)}/`),
    );
    expect(own).not.toEqual([]);
    if (document !== null && 'statut' in document)
      expect(own.some((each) => each.endsWith(`/${String(document.statut)}`))).toBe(true);
  }
}

/** Checks that no modification of another user has arrived, and none on a device without them. */
function checkModifications(database: Database, { utilisateur, received, ...replica }: Replica) {
  const acts = received.filter(({ collection }) => collection === 'modifications');
  if (!replica.hasModifications) expect(acts).toEqual([]);
  const owners = new Map(
    database
      .prepare<[], { id: number; proprietaire: string }>(
        'SELECT id, proprietaire FROM Modification',
      )
      .all()
      .map(({ id, proprietaire }) => [id, proprietaire]),
  );
  for (const { id } of acts) expect(['', utilisateur]).toContain(owners.get(id));
}

/** Checks that the list in the server's memory equals the tables. */
async function checkLivres(house: House): Promise<void> {
  for (const utilisateur of USERS) {
    const { body } = await house.ask(utilisateur, 'GET', '/api/livres');
    const statuts = new Map(
      truth(house.context.database, 'statuts', utilisateur).map(({ id, statut }) => [id, statut]),
    );
    const byId = (body as { id: number }[]).sort((a, b) => a.id - b.id);
    expect(byId).toMatchObject(truth(house.context.database, 'livres', null));
    for (const livre of byId) {
      expect(livre).toMatchObject({ statut: statuts.get(livre.id) ?? null });
    }
  }
}

/** Checks the same for periodicals and issues, and that only themes in use exist. */
async function checkNumeros(house: House): Promise<void> {
  const { database } = house.context;
  const read = async (path: string) =>
    ((await house.ask(null, 'GET', path)).body as { id: number }[]).sort((a, b) => a.id - b.id);
  expect(await read('/api/revues')).toEqual(truth(database, 'revues', null));
  const numeros = truth(database, 'numeros', null);
  expect(await read('/api/numeros')).toEqual(numeros);
  const used = numeros.flatMap(({ themes = [] }) => themes);
  const themes = (await read('/api/themes')) as { id: number; nom?: string }[];
  expect(themes.map(({ nom }) => nom).sort()).toEqual([...new Set(used)].sort());
}

test('every device ends as the server, without others’ personal records', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      vi.useFakeTimers({ toFake: ['Date'] });
      const path = join(temporaryFolder(), 'maison.sqlite');
      let house = await openHouse(path);
      let absence = false;
      const restart = async () => {
        await house.close();
        house = await openHouse(path);
      };
      const members = new Members();
      const replicas = [...USERS, 'ana' as const].map(
        (who, index) => new Replica(who, index < USERS.length),
      );
      const failures: object[] = [];
      for (const step of history) {
        if (step.step === 'pull') {
          const page = await replicas[step.replica % replicas.length]?.pull(
            house,
            step.limite,
            step.fate,
          );
          if (!absence && typeof page === 'number') failures.push({ step, page });
        } else if (step.step === 'signIn') {
          const replica = replicas[step.replica % replicas.length];
          if (replica?.utilisateur === null) replica.signIn('bob');
        } else if (step.step === 'longAbsence') {
          vi.setSystemTime(Date.now() + 402 * DAY_MS);
          absence = true;
          await restart();
        } else if (step.step === 'restart') {
          await restart();
        } else {
          const status = await members.write(house, step);
          if (status >= 500) failures.push({ step, status });
        }
      }
      expect(failures).toEqual([]);
      await checkLivres(house);
      await checkNumeros(house);
      for (const replica of replicas) await checkEnd(house, replica, members);
      await house.close();
      vi.useRealTimers();
    }),
    cases(12),
  );
});
