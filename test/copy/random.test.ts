import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FailureKind } from '../../src/lib/sync/failure.ts';
import { cases, RANDOM_TIMEOUT_MS } from '../support/random.ts';
import { normalStorage, type Tab } from './support/device.ts';
import { shown, World } from './support/world.ts';

/** What can happen to a household's devices, in any order. */
const happening = fc.oneof(
  { weight: 4, arbitrary: fc.record({ what: fc.constant('add'), user: user() }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('delete'), nth: fc.nat(20) }) },
  {
    weight: 2,
    arbitrary: fc.record({ what: fc.constant('statut'), user: user(), nth: fc.nat(20) }),
  },
  { weight: 6, arbitrary: fc.record({ what: fc.constant('wait'), ms: fc.nat(20_000) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('fail'), tab: fc.nat(2), kind: kind() }) },
  {
    weight: 2,
    arbitrary: fc.record({ what: fc.constant('signIn'), tab: fc.nat(2), user: user() }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('hide'), tab: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('show'), tab: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('reload'), tab: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('break'), tab: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('resync'), tab: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('note'), tab: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('full'), room: fc.nat(30) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constantFrom('opensFail', 'readsFail', 'writesFail'),
      times: fc.nat(3),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('slowDisk'), ms: fc.nat(20_000) }) },
  {
    weight: 1,
    arbitrary: fc.record({ what: fc.constant('slowLine'), tab: fc.nat(2), ms: fc.nat(20_000) }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('drop') }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('epoch') }) },
);

function user() {
  return fc.constantFrom('alice', 'bob', null);
}

function kind() {
  return fc.constantFrom<FailureKind | null>(
    ...([null, null, 'offline', 'serverFailing', 'sessionExpired'] as const),
  );
}

type Happening = Partial<Record<'nth' | 'ms' | 'tab' | 'room' | 'times', number>> & {
  readonly what: string;
  readonly user?: string | null;
  readonly kind?: FailureKind | null;
};

/** A device with two tabs and another with one, in a house where anything may happen. */
class Household {
  readonly tabs: Tab[] = [];
  readonly world: World;
  readonly #devices;
  readonly #hidden = new Set<number>();
  #added = 0;

  constructor(world: World) {
    this.world = world;
    this.#devices = [world.device(), world.device()] as const;
    for (const index of [0, 1, 2]) this.tabs[index] = this.#open(index);
  }

  async meet(one: Happening): Promise<void> {
    const { world } = this;
    const tab = this.tabs[one.tab ?? 0];
    // The first book stays, so that there is always something to show.
    const livre = 2 + (one.nth ?? 0);
    const by = one.user ?? 'alice';
    const statut = { statut: STATUTS.get(by) };
    if (one.what === 'add') await world.add(`Livre ${String(++this.#added)} de plus`);
    else if (one.what === 'delete') await this.#try('DELETE', `/api/livres/${String(livre)}`);
    else if (one.what === 'statut')
      await this.#try('PUT', `/api/livres/${String(livre)}/statut`, by, statut);
    else if (one.what === 'wait') await world.clock.advance(one.ms ?? 0);
    else if (one.what === 'epoch') await world.open(3, { another: true });
    else if (one.what === 'full') this.#devices[0].conditions.room = one.room ?? 0;
    else if (one.what === 'slowDisk') this.#devices[0].conditions.openMs = one.ms ?? 0;
    else if (one.what === 'slowLine' && tab) tab.server.conditions.pageMs = () => one.ms ?? 0;
    else if (one.what === 'drop') await this.#dropOne();
    else if (one.what === 'reload') await this.#reload(one.tab ?? 0);
    else if (one.what === 'break') tab?.server.breakStreams();
    else if (one.what === 'resync') tab?.engine.dispatch({ type: 'resync' });
    else if (one.what === 'note')
      tab?.engine.keepFirstScreen(tab.records.livres.map(({ id }) => id));
    else if (one.what === 'fail' && tab) tab.server.conditions.fails = one.kind ?? null;
    else if (one.what === 'signIn') this.#signIn(one.tab ?? 0, one.user ?? null);
    else if (one.what === 'hide' || one.what === 'show') this.#turn(one.tab ?? 0, one.what);
    else if (one.what === 'opensFail' || one.what === 'readsFail' || one.what === 'writesFail')
      this.#devices[0].conditions[one.what] = one.times ?? 0;
  }

  /** The conditions are normal again, all pages are looked at, and there is time. */
  async clear(): Promise<void> {
    for (const { conditions } of this.#devices) Object.assign(conditions, normalStorage());
    for (const [index, tab] of this.tabs.entries()) {
      Object.assign(tab.server.conditions, { fails: null, pageMs: () => 0 });
      if (this.#hidden.has(index)) this.#turn(index, 'show');
    }
    await this.world.clock.advance(15 * 60_000);
    for (const tab of this.tabs) tab.engine.dispatch({ type: 'hint' });
    await this.world.clock.advance(15 * 60_000);
  }

  #open(index: number): Tab {
    const device = this.#devices[index < 2 ? 0 : 1];
    const before = this.tabs[index]?.server.conditions.user;
    const tab = this.world.tab(device, before === undefined ? 'alice' : before);
    watch(tab);
    return tab.start();
  }

  async #reload(index: number): Promise<void> {
    await this.tabs[index]?.close();
    this.#hidden.delete(index);
    this.tabs[index] = this.#open(index);
  }

  /** A session is the browser's: all tabs of a device have it. */
  #signIn(index: number, user: string | null): void {
    const siblings = index < 2 ? [0, 1] : [2];
    for (const sibling of siblings) {
      const tab = this.tabs[sibling];
      if (tab) tab.server.conditions.user = user;
    }
  }

  #turn(index: number, what: 'hide' | 'show'): void {
    const isHidden = this.#hidden.has(index);
    if (isHidden === (what === 'hide')) return;
    if (isHidden) this.#hidden.delete(index);
    else this.#hidden.add(index);
    this.tabs[index]?.engine.dispatch({ type: isHidden ? 'visible' : 'hidden' });
  }

  async #dropOne(): Promise<void> {
    const [device] = this.#devices;
    const [name] = device.databases;
    if (name !== undefined) await device.drop(name);
  }

  async #try(method: 'DELETE' | 'PUT', url: string, by = 'alice', body?: object): Promise<void> {
    // There may be no such book.
    await this.world.ask(by, method, url, body).catch(() => undefined);
  }
}

/** The status that each reader gives, so that one can tell whose it is. */
const STATUTS = new Map<string | null, number>([
  ['alice', 1],
  ['bob', 2],
]);

/** Looks at every change of a screen: it never shows less than a book, nor another's status. */
function watch(tab: Tab): void {
  let shownTo: string | null | undefined;
  const look = () => {
    const { reader } = tab.engine.state;
    if (tab.records.livres.length > 0) shownTo = reader;
    else {
      if (shownTo === reader && reader !== undefined) seen.push(`emptied for ${String(reader)}`);
      // Whoever comes back after another reader finds the other's screen, empty or not.
      shownTo = undefined;
    }
    for (const statut of tab.records.statuts.values())
      if (statut !== STATUTS.get(reader ?? null)) seen.push(`another’s for ${String(reader)}`);
  };
  tab.records.subscribe('livres', look);
  tab.records.subscribe('statuts', look);
}

/** What should never be seen. */
let seen: string[] = [];

/** A tab is closed once a page of its is written, before the others are told of it. */
const CLOSED_BEFORE_TELLING = [
  { what: 'add', user: 'alice' } as const,
  { what: 'add', user: 'alice' } as const,
  { what: 'reload', tab: 0 } as const,
];

/** A session that is another's for a moment, while a page of changes arrives. */
const ANOTHER_FOR_A_MOMENT = [
  { what: 'signIn', tab: 0, user: 'bob' } as const,
  { what: 'add', user: 'alice' } as const,
  { what: 'statut', user: 'alice', nth: 0 } as const,
  { what: 'signIn', tab: 0, user: 'alice' } as const,
];

/** A page is written while the other tab tells of another reader, who is none. */
const GIVEN_UP_WHILE_WRITING = [
  { what: 'signIn', tab: 0, user: null } as const,
  { what: 'add', user: 'alice' } as const,
  { what: 'wait', ms: 0 } as const,
  { what: 'signIn', tab: 0, user: 'alice' } as const,
  { what: 'reload', tab: 0 } as const,
  { what: 'signIn', tab: 0, user: null } as const,
];

/** A copy is made anew where there is no room for it, and another tab opens the one before. */
const ONLY_IN_ONE_TAB = [
  { what: 'writesFail', times: 2 } as const,
  { what: 'full', room: 0 } as const,
  { what: 'add', user: 'alice' } as const,
  { what: 'wait', ms: 1_007 } as const,
  { what: 'reload', tab: 1 } as const,
];

const title = 'whatever happens, all devices end equal to the house, and no screen is emptied';
test(title, { timeout: RANDOM_TIMEOUT_MS }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { maxLength: 25, size: 'max' }), async (happenings) => {
      seen = [];
      const world = await new World().open(3);
      const household = new Household(world);
      await world.clock.advance(5_000);
      for (const one of happenings) await household.meet(one);
      await household.clear();
      const asked = household.tabs.reduce((sum, { server }) => sum + server.asked.length, 0);
      expect(asked).toBeLessThan(500);
      for (const tab of household.tabs) {
        const { user } = tab.server.conditions;
        expect(tab.engine.state).toMatchObject({ reader: user, connection: 'online' });
        expect(['current', 'following']).toContain(tab.engine.state.phase);
        expect(shown(tab)).toEqual(await world.truth(user));
      }
      await Promise.all(household.tabs.map((tab) => tab.close()));
      await world.close();
      expect(seen).toEqual([]);
    }),
    {
      ...cases(20),
      examples: [
        [CLOSED_BEFORE_TELLING],
        [ANOTHER_FOR_A_MOMENT],
        [GIVEN_UP_WHILE_WRITING],
        [ONLY_IN_ONE_TAB],
      ],
    },
  );
});
