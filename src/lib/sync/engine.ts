import type { Moi } from '#shared/moi';
import { DeviceState } from './device-state.ts';
import { Failure } from './failure.ts';
import { step } from './machine.ts';
import { OpenCopies, type ArrivedPage } from './open-copies.ts';
import type { Ports } from './ports.ts';
import type { Records } from './records.ts';
import { report } from './report.ts';
import { initialState, type Effect, type Event, type Reader, type State } from './states.ts';
import { Stream } from './stream.ts';
import type { OwnMessage, TabMessage } from './tab-messages.ts';
import { until } from './until.ts';

interface StartingPage {
  readonly visible: boolean;
  /** `navigator.onLine`, which may be wrong. */
  readonly online: boolean;
  /** True where it begins with the list of all books, whose first ones can be shown at once. */
  readonly showsBooks: boolean;
}

/** Keeps this device's copy: carries out the effects of the machine through the ports. */
export class Engine {
  state: State = initialState;
  /** Who reads; `null` while that is being asked or their copy is being opened. */
  moi: Moi | null = null;

  readonly #ports: Ports;
  readonly #records: Records;
  readonly #installation: string;
  readonly #device: DeviceState;
  readonly #listeners = new Set<() => void>();
  readonly #queue: Event[] = [];
  #isDraining = false;
  /** Aborts what is under way: one thing at a time. */
  #task = new AbortController();
  #copies: OpenCopies | null = null;
  /** Aborted when the copies of this reader close. */
  #session = new AbortController();
  /** Messages of other tabs are handled one after the other, once a copy is open. */
  #hearing: Promise<void> = Promise.resolve();
  #opening: Promise<void> = Promise.resolve();
  #stopTimer: (() => void) | null = null;
  readonly #stream: Stream;
  #giveLeadershipBack: (() => void) | null = null;
  #showsBooks = false;

  /** @param installation what tells this application from another one of the same origin */
  constructor(ports: Ports, records: Records, installation: string) {
    this.#ports = ports;
    this.#records = records;
    this.#installation = installation;
    this.#device = new DeviceState(ports.notes);
    this.#stream = new Stream(ports.server, (event) => this.dispatch(event));
    ports.tabs.hear((message) => this.#hear(message));
  }

  start({ showsBooks, ...page }: StartingPage): void {
    this.#showsBooks = showsBooks;
    const lastReader = this.#device.lastReader()?.utilisateur ?? null;
    this.dispatch({ type: 'start', lastReader, ...page });
  }

  /** Handles an event. Events that its effects dispatch are handled after it. */
  dispatch(event: Event): void {
    this.#queue.push(event);
    if (this.#isDraining) return;
    this.#isDraining = true;
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) this.#handle(next);
    this.#isDraining = false;
    for (const listener of [...this.#listeners]) listener();
  }

  /** Calls `listener` after every event until the returned function is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** When the copy was last equal to the server, in this visit or an earlier one. */
  get lastUpdate(): Date | null {
    const { reader, equalAt } = this.state;
    if (reader === undefined) return null;
    return Number.isFinite(equalAt) ? new Date(equalAt) : this.#device.lastUpdate(reader);
  }

  /** How many records a successor beside the copy in use has received. */
  get received(): number {
    return this.#copies?.received ?? 0;
  }

  /** Has the next start of this reader paint some books before it has read the copy. */
  keepFirstScreen(livreIds: readonly number[]): void {
    this.#copies?.keepFirstScreen(livreIds);
  }

  /** Pulls up to a revision and waits until the screen shows it, a try fails or 10 s are over. */
  reach(revision: number): Promise<void> {
    return this.#until(({ known }) => known >= revision, { type: 'announced', revision });
  }

  /** Pulls once, however fresh the copy is, and waits until that succeeds, fails or takes too long. */
  catchUp(): Promise<void> {
    const begun = this.#ports.clock.now();
    return this.#until(({ equalAt }) => equalAt >= begun, { type: 'doubt' });
  }

  #until(isReached: (state: State) => boolean, event: Event): Promise<void> {
    const isOver = (state: State) => isReached(state) || state.phase === 'waiting';
    return until(this, this.#ports.clock, isOver, event);
  }

  /** Closes everything; nothing is deleted. */
  async stop(): Promise<void> {
    this.#task.abort();
    this.#session.abort();
    this.#stopTimer?.();
    this.#stream.close();
    this.#resign();
    this.state = initialState;
    await this.#copies?.close();
  }

  #handle(event: Event): void {
    const { clock } = this.#ports;
    const before = this.state;
    const moment = { now: clock.now(), chance: () => clock.chance() };
    const { state, effects } = step(before, event, moment);
    this.state = state;
    this.#publish(before);
    for (const effect of effects) this.#run(effect);
  }

  #publish(before: State): void {
    const { reader, isLeader, connection, equalAt, whole } = this.state;
    if (reader === undefined) return;
    // After a swap the copy is whole even where the device's own one could not be opened.
    if (whole && !before.whole)
      this.#records.setCopy({ isOpening: false, isReady: true, progress: null });
    if (!isLeader || (connection === before.connection && equalAt === before.equalAt)) return;
    if (Number.isFinite(equalAt)) this.#device.setLastUpdate(reader, equalAt);
    this.#ports.tabs.broadcast({ type: 'status', reader, connection, equalAt });
  }

  #run(effect: Effect): void {
    const { type } = effect;
    if (type === 'identify') void this.#do('asking who reads', (signal) => this.#identify(signal));
    else if (type === 'open')
      this.#opening = this.#do('opening the copy', (signal) => this.#open(effect.reader, signal));
    else if (type === 'pull') void this.#do('pulling', (signal) => this.#pull(effect.into, signal));
    else if (type === 'swap') void this.#do('swapping', (signal) => this.#swap(signal));
    else if (type === 'close') this.#close();
    else if (type === 'discard' || type === 'forget') this.#copies?.discard(type === 'forget');
    else if (type === 'wait') this.#wait(effect.ms);
    else if (type === 'stopWaiting') this.#stopTimer?.();
    else if (type === 'listen') this.#stream.open();
    else if (type === 'stopListening') this.#stream.close();
    else if (type === 'requestLeadership') this.#requestLeadership();
    else if (type === 'resign') this.#resign();
    else this.#broadcast({ type: 'pass', event: effect.event });
  }

  /** Does one thing, and aborts what was under way. A failure becomes an event. */
  async #do(what: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#task.abort();
    const task = new AbortController();
    this.#task = task;
    try {
      await work(task.signal);
    } catch (error) {
      if (task.signal.aborted) return;
      report(error, what);
      const kind = error instanceof Failure ? error.kind : 'serverFailing';
      this.dispatch({ type: 'failed', kind });
    }
  }

  async #identify(signal: AbortSignal): Promise<void> {
    const moi = await this.#ports.server.identify(signal);
    if (signal.aborted) return;
    const reader = moi.utilisateur;
    this.#device.setLastReader(moi);
    if (reader !== this.state.lastReader) this.#ports.tabs.broadcast({ type: 'reader', reader });
    this.dispatch({ type: 'readerIs', reader });
    if (this.state.phase !== 'opening') this.moi = moi;
  }

  async #open(reader: Reader, signal: AbortSignal): Promise<void> {
    this.#session.abort();
    await this.#copies?.close();
    signal.throwIfAborted();
    const session = new AbortController();
    this.#session = session;
    const copies = new OpenCopies(this.#ports, this.#records, this.#installation, {
      reader,
      session: session.signal,
      onLost: () => this.dispatch({ type: 'lost' }),
      onKept: () => this.#broadcast({ type: 'swapped', copy: copies.inUse() }),
    });
    this.#copies = copies;
    if (this.#showsBooks) await copies.showFirstScreen(signal);
    await copies.open(signal);
    if (signal.aborted) return;
    this.moi = this.#device.lastReader();
    this.#records.setCopy({ isOpening: false });
    this.dispatch({ type: 'opened', ...copies.standing });
    this.#broadcast({ type: 'opened', checkpoint: copies.checkpoint });
  }

  async #pull(into: 'inUse' | 'successor', signal: AbortSignal): Promise<void> {
    // Messages of the former leader are handled first: nothing may be read while it is written.
    await this.#hearing;
    signal.throwIfAborted();
    if (this.#copies === null) throw new Failure('unreadable');
    const reader = this.state.reader ?? null;
    const arrived = ({ isShown, storage, ...page }: ArrivedPage) => {
      if (isShown) this.#broadcast({ type: 'page', ...page, isAll: false });
      this.dispatch({ type: 'page', revision: page.checkpoint.revision, storage });
    };
    const revision = await this.#copies.pull({ into, reader, signal, arrived });
    if (!signal.aborted) this.dispatch({ type: 'complete', revision });
  }

  async #swap(signal: AbortSignal): Promise<void> {
    if (this.#copies === null) throw new Failure('unreadable');
    await this.#copies.swap(signal, ({ storage, changes, checkpoint }) => {
      this.dispatch({ type: 'swapped', storage });
      if (changes === null) this.#broadcast({ type: 'swapped', copy: this.#copies?.inUse() });
      else if (checkpoint !== null)
        this.#broadcast({ type: 'page', changes, checkpoint, since: null, isAll: true });
    });
  }

  #close(): void {
    this.#session.abort();
    void this.#copies?.close();
    this.#copies = this.moi = null;
    this.#records.clear();
  }

  #wait(ms: number): void {
    this.#stopTimer?.();
    this.#stopTimer = this.#ports.clock.after(ms, () => this.dispatch({ type: 'timer' }));
  }

  #requestLeadership(): void {
    const name = JSON.stringify([this.#installation, this.state.reader]);
    this.#giveLeadershipBack ??= this.#ports.tabs.requestLeadership(name, () => {
      this.#copies?.mustRefresh();
      this.dispatch({ type: 'leader', isLeader: true });
    });
  }

  #resign(): void {
    this.#giveLeadershipBack?.();
    this.#giveLeadershipBack = null;
  }

  #broadcast(message: OwnMessage): void {
    this.#ports.tabs.broadcast({ reader: this.state.reader ?? null, ...message });
  }

  #hear(message: TabMessage): void {
    const { reader, isLeader } = this.state;
    if (message.type === 'reader') {
      if (reader !== undefined && message.reader !== reader) this.dispatch({ type: 'otherReader' });
    } else if (message.reader !== reader) return;
    else if (message.type === 'pass') {
      if (isLeader) this.dispatch(message.event);
    } else if (message.type === 'status') this.dispatch(message);
    else if (message.type === 'opened') {
      const lacked = isLeader ? (this.#copies?.lackedAt(message.checkpoint) ?? null) : null;
      if (lacked !== null) this.#broadcast({ type: 'page', ...lacked });
    } else {
      const opening = this.#opening;
      this.#hearing = this.#hearing.then(() => opening).then(() => this.#hearCopy(message));
    }
  }

  /** Shows a page or a swap of another tab. */
  async #hearCopy(message: Extract<TabMessage, { type: 'page' | 'swapped' }>): Promise<void> {
    const copies = this.#copies;
    const { signal } = this.#session;
    if (copies === null || message.reader !== this.state.reader) return;
    try {
      if (message.type === 'page') {
        // A leader gets every page from the server itself; this one is of a former leader.
        if (this.state.isLeader) return;
        await copies.hear(message, signal);
        const { revision, whole } = message.checkpoint;
        this.dispatch({ type: 'heard', revision, whole });
      } else {
        await copies.reopen(signal, message.copy);
        this.dispatch({ type: 'opened', ...copies.standing });
      }
    } catch (error) {
      report(error, 'hearing another tab');
    }
  }
}
