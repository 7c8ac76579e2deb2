import type { FastifyInstance } from 'fastify';
import type { Moi } from '#shared/moi';
import type { OtherDatabase } from '#shared/refusal-details';
import type { ChangePage, Checkpoint } from '#shared/replication';
import { replicaRevision } from '#server/plumbing/sync/replication';
import type { Context } from '#server/start/context';
import { Failure, type FailureKind } from '../../../src/lib/sync/status.ts';
import type { StreamListener } from '../../../src/lib/api/link.ts';
import type { ServerPort } from '../../../src/lib/sync/ports.ts';
import { signedIn } from '../../support/sign-on.ts';
import { InjectedRequest } from './inject.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** The interval of a stream's heartbeats in milliseconds, and the time of the second one. */
const HEARTBEAT_MS = 20_000;
const SECOND_BEAT_MS = 5_000;

/** The connection between a device and the household: who is signed in, and what fails. */
interface ServerConditions {
  /** The user named by the sign-on layer. */
  user: string | null;
  /** The kind of failure of every request; `null` if they succeed. */
  fails: FailureKind | null;
  /** Milliseconds that a page takes. */
  pageMs: (changes: number) => number;
  /** Changes a page before it arrives, or throws. */
  page: (page: ChangePage) => ChangePage;
  /** True if no event stream can be opened. */
  noStream: boolean;
  /** The part of a stream that a proxy forwards: all, the headers only, or what is sent along with them. */
  passes: 'all' | 'headers' | 'opening';
}

export const normalConditions = (user: string | null): ServerConditions => ({
  user,
  fails: null,
  pageMs: () => 0,
  page: (page) => page,
  noStream: false,
  passes: 'all',
});

interface OpenHouse {
  readonly app: FastifyInstance;
  readonly context: Context;
}

/** The household in this process, as one device reaches it. */
export class HouseServer implements ServerPort {
  /** The requests, in order. */
  readonly asked: ('pull' | 'identify' | 'listen')[] = [];
  /** The number of changes sent. */
  sent = 0;
  streams = 0;
  readonly #house: () => OpenHouse | null;
  readonly #clock: VirtualClock;
  readonly conditions: ServerConditions;
  readonly #breakers = new Set<() => void>();
  readonly #silencers = new Set<() => void>();

  /** @param house `null` while it is down */
  constructor(house: () => OpenHouse | null, clock: VirtualClock, conditions: ServerConditions) {
    this.#house = house;
    this.#clock = clock;
    this.conditions = conditions;
  }

  async pull(
    checkpoint: Checkpoint | null,
    { limit, modifications, timeoutMs = Infinity }: Parameters<ServerPort['pull']>[1],
    signal: AbortSignal,
  ): Promise<ChangePage> {
    this.asked.push('pull');
    const query = new URLSearchParams({
      limite: String(limit),
      modifications: String(modifications),
    });
    if (checkpoint !== null) {
      query.set('epoque', checkpoint.epoque);
      query.set('revision', String(checkpoint.revision));
    }
    const page = await this.#get<ChangePage>(`/api/replication?${String(query)}`);
    this.sent += page.changements.length;
    const ms = this.conditions.pageMs(page.changements.length);
    if (ms > 0) await this.#clock.sleep(Math.min(ms, timeoutMs));
    signal.throwIfAborted();
    if (ms > timeoutMs) throw new Failure('offline');
    return this.conditions.page(page);
  }

  async identify(signal: AbortSignal): Promise<Moi> {
    this.asked.push('identify');
    const moi = await this.#get<Moi>('/api/moi');
    signal.throwIfAborted();
    return moi;
  }

  listen(from: Checkpoint | null, { opened, announced, heard, broke }: StreamListener): () => void {
    this.asked.push('listen');
    let isOpen = true;
    let isSilent = false;
    const silence = () => (isSilent = true);
    this.#silencers.add(silence);
    const { fails, noStream, passes, user } = this.conditions;
    const house = this.#house();
    const unsubscribe = house?.context.journal.subscribe(({ revision, owners }) => {
      const mine = owners.has('') || (user !== null && owners.has(user));
      if (isOpen && mine && !isSilent && passes === 'all')
        setImmediate(() => isOpen && announced(revision));
    });
    const known = from && house && replicaRevision(house.context.database, user, from);
    const isBehind = () => {
      const owners = known === null ? undefined : house?.context.journal.ownersSince(known);
      return owners?.has('') === true || (user !== null && owners?.has(user) === true);
    };
    const beat = (isOpening = false) => {
      if (isOpen && !isSilent && (passes === 'all' || (isOpening && passes === 'opening'))) heard();
    };
    const beatOn = () => {
      if (!isOpen) return;
      beat();
      this.#clock.after(HEARTBEAT_MS, beatOn);
    };
    const close = () => {
      if (isOpen) this.streams--;
      isOpen = false;
      unsubscribe?.();
      this.#breakers.delete(breakIt);
      this.#silencers.delete(silence);
    };
    const breakIt = () => {
      close();
      broke();
    };
    this.streams++;
    this.#breakers.add(breakIt);
    setImmediate(() => {
      if (!isOpen) return;
      if (fails !== null || noStream || house === null) breakIt();
      else {
        if (from === null || (passes !== 'headers' && !isSilent)) opened(known !== null);
        beat(true);
        if (isBehind() && passes === 'all' && !isSilent)
          announced(house.context.database.revision());
        this.#clock.after(SECOND_BEAT_MS, beatOn);
      }
    });
    return close;
  }

  /** Closes every stream with an error. */
  breakStreams(): void {
    for (const breakIt of [...this.#breakers]) breakIt();
  }

  /** Stops every stream without closing it. */
  silenceStreams(): void {
    for (const silence of this.#silencers) silence();
  }

  async #get<T>(url: string): Promise<T> {
    const { fails, user } = this.conditions;
    if (fails !== null) throw new Failure(fails);
    const house = this.#house();
    if (house === null) throw new Failure('offline');
    const answer = await this.#clock.real(
      house.app
        .inject({ method: 'GET', url, headers: signedIn(user), Request: InjectedRequest })
        .then((response) => response),
    );
    if (answer.statusCode === 409)
      throw new Failure('foreignEpoch', undefined, answer.json<OtherDatabase>());
    if (answer.statusCode !== 200) throw new Failure('serverFailing', new Error(answer.body));
    return answer.json<T>();
  }
}
