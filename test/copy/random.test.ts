// @module-tag random
import fc, { type RunDetails } from 'fast-check';
import { expect, test } from 'vitest';
import { cases } from '../support/random.ts';
import { happening, type Happening } from './support/happenings.ts';
import { BOOKS, Household } from './support/simulated-house.ts';
import { MINUTE_MS, openTab, syncedDevice } from './support/synced-device.ts';
import { pass } from './support/virtual-clock.ts';
import { shown, World } from './support/world.ts';

type Run = Pick<
  RunDetails<unknown>,
  'failed' | 'numRuns' | 'seed' | 'counterexamplePath' | 'errorInstance'
>;

/** Reports a failure as a story: fast-check has shrunk it to the shortest one. */
function tell({ failed, numRuns, seed, counterexamplePath, errorInstance }: Run): void {
  if (!failed) return;
  const where = `SEED=${String(seed)}, ${String(counterexamplePath)}`;
  throw new Error(`After ${String(numRuns)} seeds (${where}):\n${String(errorInstance)}`, {
    cause: errorInstance,
  });
}

/** A tab is closed after it has written a page, and before it has told the other tabs. */
const CLOSED_BEFORE_TELLING = [
  { what: 'add', user: 'ana' } as const,
  { what: 'add', user: 'ana' } as const,
  { what: 'reload', tab: 0 } as const,
];

/** The session belongs to another reader for a moment, while a page of changes arrives. */
const ANOTHER_FOR_A_MOMENT = [
  { what: 'signIn', tab: 0, user: 'bob' } as const,
  { what: 'add', user: 'ana' } as const,
  { what: 'statut', user: 'ana', nth: 0 } as const,
  { what: 'signIn', tab: 0, user: 'ana' } as const,
];

/** A page is being written when the other tab reports that nobody is signed in. */
const GIVEN_UP_WHILE_WRITING = [
  { what: 'signIn', tab: 0, user: null } as const,
  { what: 'add', user: 'ana' } as const,
  { what: 'wait', ms: 0 } as const,
  { what: 'signIn', tab: 0, user: 'ana' } as const,
  { what: 'reload', tab: 0 } as const,
  { what: 'signIn', tab: 0, user: null } as const,
];

/** There is no space for a replica, and another tab opens the previous one. */
const ONLY_IN_ONE_TAB = [
  { what: 'writesFail', times: 2 } as const,
  { what: 'full', room: 0 } as const,
  { what: 'add', user: 'ana' } as const,
  { what: 'wait', ms: 1_007 } as const,
  { what: 'reload', tab: 1 } as const,
];

/** A tab begins a first replica while the other activates again the one on its screen. */
const MADE_ANEW_BY_BOTH = [
  { what: 'evict' } as const,
  { what: 'reload', tab: 0 } as const,
  { what: 'delete', user: 'ana', nth: 0 } as const,
];

/** A replica renewed in another household is complete, although that household's revisions are lower. */
const RENEWED_IN_ANOTHER_HOUSE = [
  { what: 'add', user: 'ana' } as const,
  { what: 'epoch' } as const,
  { what: 'resync', tab: 0 } as const,
];

/** The reader changes while the previous reader's replica is being read onto the screen. */
const GIVEN_UP_WHILE_READING = [
  { what: 'epoch' } as const,
  { what: 'hide', tab: 1 } as const,
  { what: 'reload', tab: 0 } as const,
  { what: 'signIn', tab: 0, user: null } as const,
];

/** The reader changes while the disk is opening the previous reader's replica. */
const GIVEN_UP_WHILE_OPENING = [
  { what: 'statut', user: 'ana', nth: 0 } as const,
  { what: 'slowDisk', ms: 5_000 } as const,
  { what: 'reload', tab: 0 } as const,
  { what: 'wait', ms: 1_000 } as const,
  { what: 'signIn', tab: 0, user: null } as const,
  { what: 'add', user: 'ana' } as const,
  { what: 'wait', ms: 1_000 } as const,
];

/** A tab opens a replica of another household while the previous one is on its screen. */
const OPENED_IN_ANOTHER_HOUSE = [
  { what: 'epoch' } as const,
  { what: 'reload', tab: 0 } as const,
  { what: 'evict' } as const,
];

/** A tab shows one household's stored records, and opens a replica of another. */
const STORED_IN_ANOTHER_HOUSE = [
  { what: 'epoch' } as const,
  { what: 'slowDisk', ms: 1 } as const,
  { what: 'reload', tab: 0 } as const,
  { what: 'add', user: 'ana' } as const,
];

/** After some time in memory, during which a book was deleted, the device reads its storage again. */
const BEHIND_THE_SCREEN = [
  { what: 'delete', user: 'ana', nth: 0 } as const,
  { what: 'slowLine', tab: 1, ms: 1 } as const,
  { what: 'readsFail', times: 3 } as const,
  { what: 'wait', ms: 0 } as const,
];

/** A replica is lost while it is being read onto the screen; the other tab creates it again. */
const LOST_WHILE_READING = [
  { what: 'reload', tab: 0 } as const,
  { what: 'reload', tab: 1 } as const,
  { what: 'delete', user: 'ana', nth: 0 } as const,
  { what: 'evict' } as const,
];

/** One tab fills a first replica; the other still shows the database from before a restore. */
const KEPT_BESIDE_A_FIRST_COPY = [
  { what: 'backUp' } as const,
  { what: 'reload', tab: 0 } as const,
  { what: 'restore' } as const,
  { what: 'evict' } as const,
];

/** A crash leaves a complete replica beside the active one, and the reader asks for a fresh one. */
const ASKED_AFTER_A_CRASH = [
  { what: 'epoch' } as const,
  { what: 'crash' } as const,
  { what: 'backUp' } as const,
  { what: 'resync', tab: 0 } as const,
];

/** A reader with a replica signs in on a device where nobody was, while another household takes this one's place. */
const ASKED_FOR_EACH_COPY = [
  { what: 'signIn', tab: 2, user: null } as const,
  { what: 'import', nth: 0 } as const,
  { what: 'wait', ms: 0 } as const,
  { what: 'signIn', tab: 2, user: 'ana' } as const,
  { what: 'epoch' } as const,
];

/** Failures that were found once are replayed in each run. */
const EXAMPLES = [
  CLOSED_BEFORE_TELLING,
  ANOTHER_FOR_A_MOMENT,
  GIVEN_UP_WHILE_WRITING,
  ONLY_IN_ONE_TAB,
  MADE_ANEW_BY_BOTH,
  RENEWED_IN_ANOTHER_HOUSE,
  GIVEN_UP_WHILE_READING,
  GIVEN_UP_WHILE_OPENING,
  OPENED_IN_ANOTHER_HOUSE,
  STORED_IN_ANOTHER_HOUSE,
  BEHIND_THE_SCREEN,
  LOST_WHILE_READING,
  KEPT_BESIDE_A_FIRST_COPY,
  ASKED_AFTER_A_CRASH,
  ASKED_FOR_EACH_COPY,
];

/** Plays all happenings, then checks every screen once nothing is pending. */
async function live(household: Household, happenings: readonly Happening[]): Promise<void> {
  const { world, tabs, seen } = household;
  await world.clock.advance(5_000);
  for (const one of happenings) await household.meet(one);
  await household.clear();
  expect(tabs.reduce((sum, { server }) => sum + server.asked.length, 0)).toBeLessThan(200);
  expect(await household.pullAgain(), 'changes that are sent when nothing is new').toBe(0);
  for (const tab of tabs) {
    const { user } = tab.server.conditions;
    expect(tab.status).toMatchObject({ reader: user, connection: 'online' });
    expect(tab.isCurrent).toBe(true);
    expect(shown(tab)).toEqual(world.truth(user));
  }
  expect(seen).toEqual([]);
}

const title = 'whatever happens, all devices end equal to the house, and no screen is emptied';
test(title, async () => {
  const random = cases(20);
  const details = await fc.check(
    fc.asyncProperty(fc.array(happening, { maxLength: 25, size: 'max' }), async (happenings) => {
      const world = await new World().open(BOOKS);
      const household = new Household(world);
      try {
        await live(household, happenings);
      } catch (error) {
        throw new Error(`${household.story}\n${String(error)}`, { cause: error });
      } finally {
        await world.close();
      }
    }),
    {
      ...random,
      numRuns: EXAMPLES.length + random.numRuns,
      examples: EXAMPLES.map((example): [typeof example] => [example]),
    },
  );
  tell(details);
});

/**
 * Events in two tabs while RxDB is still reading the disk; `turns` are turns of the event loop since the previous
 * one.
 */
const meanwhile = fc.record({
  turns: fc.nat({ max: 40 }),
  what: fc.constantFrom('add', 'add', 'catchUp', 'refresh', 'rebuild'),
  tab: fc.nat({ max: 1 }),
});

test('no announced change is lost while RxDB reads the disk', async () => {
  const slowDisk = { readTurns: fc.nat({ max: 25 }), all: fc.array(meanwhile, { maxLength: 8 }) };
  const details = await fc.check(
    fc.asyncProperty(fc.record(slowDisk), async ({ readTurns, all }) => {
      const { world, device } = await syncedDevice();
      try {
        const tabs = [await openTab(world, device), await openTab(world, device)];
        await world.clock.advance(MINUTE_MS);
        device.conditions.readTurns = readTurns;
        const meeting = world.clock.real(
          (async () => {
            for (const { turns, what, tab } of all) {
              await pass(turns);
              if (what === 'add') await world.add('Orlando');
              else if (what === 'catchUp') void tabs[tab]?.device.catchUp();
              else if (what === 'refresh') tabs[tab]?.device.refresh();
              else tabs[tab]?.device.replicas?.rebuild();
            }
          })(),
        );
        await world.clock.advance(500);
        await meeting;
        // Less than the delay before the stream is reopened, which would pull everything.
        await world.clock.advance(15_000);
        for (const tab of tabs) expect(shown(tab)).toEqual(world.truth('alice'));
        expect(tabs.every(({ isCurrent }) => isCurrent)).toBe(true);
      } finally {
        await world.close();
      }
    }),
    cases(20),
  );
  tell(details);
});
