import type { Moi } from '#shared/moi';
import { Failure } from './failure.ts';
import { step } from './machine.ts';
import { Memory } from './memory.ts';
import { OpenCopies, type ArrivedPage } from './open-copies.ts';
import type { Ports } from './ports.ts';
import type { Records } from './records.ts';
import { report } from './report.ts';
import { initialState, type Effect, type Event, type Reader, type State } from './states.ts';
import { Stream } from './stream.ts';
import type { OwnMessage, TabMessage } from './tab-messages.ts';
import { until } from './until.ts';

/** A page that begins. */
export interface StartingPage {
  readonly visible: boolean;
  /** What the browser believes. */
  readonly online: boolean;
  /** True where it begins with the list of all books, whose first ones can be shown at once. */
  readonly showsBooks: boolean;
}

/** Keeps this device's copy: carries out what the machine says through the ports. */
export class Engine {
  state: State = initialState;
  /** Who reads; `null` while that is being asked or their copy is being opened. */
  moi: Moi | null = null;

  readonly #ports: Ports;
  readonly #records: Records;
  readonly #installation: string;
  readonly #memory: Memory;
  readonly #listeners = new Set<() => void>();
  readonly #queue: Event[] = [];
  #isDraining = false;
  /** What is under way: one thing at a time. */
  #task = new AbortController();
  #copies: OpenCopies | null = null;
  /** Ends with the reader whose copies are open. */
  #session = new AbortController();
  /** What other tabs have told, one after the other, once a copy is open. */
  #hearing: Promise<void> = Promise.resolve();
  #opening: Promise<void> = Promise.resolve();
  #stopTimer: (() => void) | null = null;
  readonly #stream: Stream;
  #yield: (() => void) | null = null;
  #showsBooks = false;

  /** @param installation what tells this application from another one of the same origin */
  constructor(ports: Ports, records: Records, installation: string) {
    this.#ports = ports;
    this.#records = records;
    this.#installation = installation;
    this.#memory = new Memory(ports.notes);
    this.#stream = new Stream(ports.server, (event) => this.dispatch(event));
    ports.tabs.hear((message) => this.#hear(message));
  }

  /** Begins. */
  start({ showsBooks, ...page }: StartingPage): void {
    this.#showsBooks = showsBooks;
    const lastReader = this.#memory.lastReader()?.utilisateur ?? null;
    this.dispatch({ type: 'start', lastReader, ...page });
  }

  /** Meets an event; those that its effects bring about come after it. */
  dispatch(event: Event): void {
    this.#queue.push(event);
    if (this.#isDraining) return;
    this.#isDraining = true;
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) this.#meet(next);
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
    return Number.isFinite(equalAt) ? new Date(equalAt) : this.#memory.lastUpdate(reader);
  }

  /** How many records a successor beside the copy in use has received. */
  get received(): number {
    return this.#copies?.received ?? 0;
  }

  /** Has the next start of this reader paint some books before it has read the copy. */
  keepFirstScreen(livreIds: readonly number[]): void {
    this.#copies?.keepFirstScreen(livreIds);
  }

  /** Has a revision pulled and waits until the screen shows it, or until it is clear that it is late. */
  reach(revision: number): Promise<void> {
    return this.#until(({ known }) => known >= revision, { type: 'told', revision });
  }

  /** Looks at the server once, whatever is known of it, and waits for what comes of it. */
  catchUp(): Promise<void> {
    const begun = this.#ports.clock.now();
    return this.#until(({ equalAt }) => equalAt >= begun, { type: 'doubt' });
  }

  #until(isReached: (state: State) => boolean, event: Event): Promise<void> {
    const isOver = (state: State) => isReached(state) || state.phase === 'waiting';
    return until(this, this.#ports.clock, isOver, event);
  }

  /** Lets go of everything; nothing is deleted. */
  async stop(): Promise<void> {
    this.#task.abort();
    this.#session.abort();
    this.#stopTimer?.();
    this.#stream.close();
    this.#giveUpLead();
    this.state = initialState;
    await this.#copies?.close();
  }

  #meet(event: Event): void {
    const { clock } = this.#ports;
    const before = this.state;
    const moment = { now: clock.now(), chance: () => clock.chance() };
    const { state, effects } = step(before, event, moment);
    this.state = state;
    this.#remember(before);
    for (const effect of effects) this.#run(effect);
  }

  #remember(before: State): void {
    const { reader, leads, trouble, equalAt, whole } = this.state;
    if (reader === undefined) return;
    // A device that could not be opened has a whole copy all the same, once one is taken over.
    if (whole && !before.whole)
      this.#records.setCopy({ isOpening: false, isReady: true, progress: null });
    if (!leads || (trouble === before.trouble && equalAt === before.equalAt)) return;
    if (Number.isFinite(equalAt)) this.#memory.rememberUpdate(reader, equalAt);
    this.#ports.tabs.tell({ type: 'status', reader, trouble, equalAt });
  }

  #run(effect: Effect): void {
    const { type } = effect;
    if (type === 'identify') void this.#do('asking who reads', (signal) => this.#identify(signal));
    else if (type === 'open')
      this.#opening = this.#do('opening the copy', (signal) => this.#open(effect.reader, signal));
    else if (type === 'pull') void this.#do('pulling', (signal) => this.#pull(effect.into, signal));
    else if (type === 'takeOver') void this.#do('taking over', (signal) => this.#takeOver(signal));
    else if (type === 'close') this.#close();
    else if (type === 'discard' || type === 'forget') this.#copies?.discard(type === 'forget');
    else if (type === 'wait') this.#wait(effect.ms);
    else if (type === 'stopWaiting') this.#stopTimer?.();
    else if (type === 'listen') this.#stream.open();
    else if (type === 'stopListening') this.#stream.close();
    else if (type === 'lead') this.#lead();
    else if (type === 'yield') this.#giveUpLead();
    else this.#tell({ type: 'pass', event: effect.event });
  }

  /** Does one thing in place of any before; what goes wrong is an event. */
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
    this.#memory.rememberReader(moi);
    if (reader !== this.state.lastReader) this.#ports.tabs.tell({ type: 'reader', reader });
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
      onKept: () => this.#tell({ type: 'tookOver' }),
    });
    this.#copies = copies;
    if (this.#showsBooks) await copies.showFirstScreen(signal);
    await copies.open(signal);
    if (signal.aborted) return;
    this.moi = this.#memory.lastReader();
    this.#records.setCopy({ isOpening: false });
    this.dispatch({ type: 'opened', ...copies.standing });
    this.#tell({ type: 'opened', checkpoint: copies.checkpoint });
  }

  async #pull(into: 'inUse' | 'successor', signal: AbortSignal): Promise<void> {
    // What the tab told that pulled before is read first: nothing may be read while it is written.
    await this.#hearing;
    signal.throwIfAborted();
    if (this.#copies === null) throw new Failure('unreadable');
    const reader = this.state.reader ?? null;
    const arrived = ({ isShown, storage, ...page }: ArrivedPage) => {
      if (isShown) this.#tell({ type: 'page', ...page, isAll: false });
      this.dispatch({ type: 'page', revision: page.checkpoint.revision, storage });
    };
    const revision = await this.#copies.pull({ into, reader, signal, arrived });
    if (!signal.aborted) this.dispatch({ type: 'complete', revision });
  }

  async #takeOver(signal: AbortSignal): Promise<void> {
    if (this.#copies === null) throw new Failure('unreadable');
    await this.#copies.takeOver(signal, ({ storage, changes, checkpoint }) => {
      this.dispatch({ type: 'tookOver', storage });
      if (changes === null) this.#tell({ type: 'tookOver' });
      else if (checkpoint !== null)
        this.#tell({ type: 'page', changes, checkpoint, since: null, isAll: true });
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

  #lead(): void {
    const name = JSON.stringify([this.#installation, this.state.reader]);
    this.#yield ??= this.#ports.tabs.lead(name, () => {
      this.#copies?.mustRefresh();
      this.dispatch({ type: 'leads', leads: true });
    });
  }

  #giveUpLead(): void {
    this.#yield?.();
    this.#yield = null;
  }

  #tell(message: OwnMessage): void {
    this.#ports.tabs.tell({ reader: this.state.reader ?? null, ...message });
  }

  #hear(message: TabMessage): void {
    const { reader, leads } = this.state;
    if (message.type === 'reader') {
      if (reader !== undefined && message.reader !== reader) this.dispatch({ type: 'otherReader' });
    } else if (message.reader !== reader) return;
    else if (message.type === 'pass') {
      if (leads) this.dispatch(message.event);
    } else if (message.type === 'status') this.dispatch(message);
    else if (message.type === 'opened') {
      const lacked = leads ? (this.#copies?.lackedAt(message.checkpoint) ?? null) : null;
      if (lacked !== null) this.#tell({ type: 'page', ...lacked });
    } else {
      const opening = this.#opening;
      this.#hearing = this.#hearing.then(() => opening).then(() => this.#hearCopy(message));
    }
  }

  /** Shows what another tab has done to the copy. */
  async #hearCopy(message: Extract<TabMessage, { type: 'page' | 'tookOver' }>): Promise<void> {
    const copies = this.#copies;
    const { signal } = this.#session;
    if (copies === null || message.reader !== this.state.reader) return;
    try {
      if (message.type === 'page') {
        // The tab that pulls gets all of it from the server; this one comes late, or has led before.
        if (this.state.leads) return;
        await copies.hear(message, signal);
        const { revision, whole } = message.checkpoint;
        this.dispatch({ type: 'heard', revision, whole });
      } else {
        await copies.reopen(signal);
        this.dispatch({ type: 'opened', ...copies.standing });
      }
    } catch (error) {
      report(error, 'hearing another tab');
    }
  }
}
