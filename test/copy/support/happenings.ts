import fc from 'fast-check';
import type { FailureKind } from '../../../src/lib/sync/status.ts';
import { act, PEOPLE, type Act } from '../../modifications/support/acts.ts';

/** Events of a household's devices, in any order. */
export const happening = fc.oneof(
  { weight: 4, arbitrary: fc.record({ what: fc.constant('add'), user: user() }) },
  {
    weight: 2,
    arbitrary: fc.record({ what: fc.constant('delete'), user: user(), nth: fc.nat(20) }),
  },
  { weight: 6, arbitrary: fc.record({ what: fc.constant('act'), act }) },
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
  { weight: 1, arbitrary: fc.record({ what: fc.constant('note'), tab: fc.nat(2) }) },
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
  { weight: 1, arbitrary: fc.record({ what: fc.constantFrom('evict', 'crash') }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('reach'), tab: fc.nat(2), user: user() }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('collide') }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('loseAnswer') }) },
  {
    weight: 3,
    arbitrary: fc.record({ what: fc.constant('undo'), user: user(), nth: fc.nat(15) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ what: fc.constant('script'), user: user(), nth: fc.nat(29) }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('import'), nth: fc.nat(20) }) },
  { weight: 4, arbitrary: fc.record({ what: fc.constantFrom('backUp', 'restore') }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constantFrom('epoch', 'comeBack') }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constantFrom('keep', 'take'), tab: fc.nat(2) }) },
);

function user() {
  return fc.constantFrom(...PEOPLE);
}

function kind() {
  return fc.constantFrom<FailureKind | null>(
    ...([null, null, 'offline', 'serverFailing', 'sessionExpired'] as const),
  );
}

export type Happening = Partial<Record<'nth' | 'ms' | 'tab' | 'room' | 'times', number>> & {
  readonly what: string;
  readonly user?: string | null;
  readonly kind?: FailureKind | null;
  readonly act?: Act;
};

const READERS = new Map<string | null | undefined, string>([
  ['ana', 'Ana'],
  ['bob', 'Bob'],
  [null, 'Someone'],
]);
const TABS = ['the first tab', 'the second tab', 'the other device'];

/** Describes an event in one line, so that a shrunk failure is readable. */
export function sentence({
  what,
  user = null,
  nth = 0,
  ms = 0,
  tab = 0,
  room,
  times,
  kind,
}: Happening): string {
  const who = READERS.get(user) ?? String(user);
  const where = TABS[tab] ?? '';
  const book = `book ${String(2 + nth)}`;
  const sentences: Readonly<Record<string, string>> = {
    add: `${who} adds a book.`,
    delete: `${who} deletes ${book}.`,
    act: 'A person does something.',
    statut: `${who} gives ${book} a status.`,
    wait: `${String(ms)} ms go by.`,
    fail: `For ${where} ${kind === null || kind === undefined ? 'the way is open again' : `every exchange ends in « ${kind} »`}.`,
    signIn: `On the device of ${where} ${user === null ? 'nobody is signed in' : `${who} signs in`}.`,
    hide: `Nobody looks at ${where}.`,
    show: `Someone looks at ${where}.`,
    reload: `${where} is loaded again.`,
    break: `The stream of ${where} breaks.`,
    resync: `${where} is asked for a fresh copy.`,
    note: `${where} notes what its list begins with.`,
    full: `The first device has room for ${String(room)} packs.`,
    opensFail: `${String(times)} databases of the first device do not open.`,
    readsFail: `${String(times)} reads of the first device fail.`,
    writesFail: `${String(times)} writes of the first device fail.`,
    slowDisk: `The first device opens a database in ${String(ms)} ms.`,
    slowLine: `A page takes ${String(ms)} ms to ${where}.`,
    evict: 'The browser of the first device deletes all that it keeps.',
    crash: 'The first device crashes before RxDB has written its own checkpoint.',
    reach: `${who} adds a book in ${where} and waits for it there.`,
    collide: `Ana and Bob change the first book, which both have read before.`,
    loseAnswer: `Ana adds a book, loses the answer and sends it again; Bob does so with a status of the first book.`,
    undo: `${who} undoes act ${String(1 + nth)}, redoes it, and undoes it again.`,
    import: `Bob imports ${String(1 + nth)} books, undoes that and does it again.`,
    backUp: 'The house makes a backup.',
    restore: 'The house is restored from its last backup, if there is one.',
    script: `A script pulls all as ${who}, ${String(1 + nth)} changes a page.`,
    epoch: 'The house is replaced by another.',
    comeBack: 'The house that was replaced by another comes back.',
    keep: `In ${where} a person keeps the copy, where another house answers.`,
    take: `In ${where} a person goes over to the other house that answers.`,
  };
  return sentences[what] ?? what;
}
