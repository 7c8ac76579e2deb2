import type { ChannelPort } from './ports.ts';
import type { Reader } from './status.ts';
import type { TabMessage } from './tab-message.ts';

/** A message without its tab and its reader. */
type OwnMessage = TabMessage extends infer M
  ? M extends TabMessage
    ? Omit<M, 'tab' | 'reader'>
    : never
  : never;

/** The other tabs of this browser: who reads in them, and whether someone looks at them. */
export class Tabs {
  readonly #channel: ChannelPort;
  readonly #listeners = new Set<(message: TabMessage) => void>();
  readonly #others = new Map<number, { readonly reader: Reader; readonly visible: boolean }>();
  readonly #tab: number;
  #reader: Reader | undefined = undefined;
  #visible = true;

  /** @param tab tells this tab from the others */
  constructor(channel: ChannelPort, tab: number) {
    this.#channel = channel;
    this.#tab = tab;
    channel.hear((message) => this.#hear(message));
  }

  /** Tells the others who reads here, and whether someone looks. */
  present(reader: Reader, visible: boolean): void {
    const isNew = this.#reader === undefined;
    this.#reader = reader;
    this.#visible = visible;
    this.post({ type: 'here', visible, isNew });
  }

  /** Whether someone looks at this tab or at another one of its reader. */
  get isWatched(): boolean {
    return (
      this.#visible ||
      [...this.#others.values()].some(({ reader, visible }) => visible && reader === this.#reader)
    );
  }

  post(message: OwnMessage): void {
    this.#channel.post({ tab: this.#tab, reader: this.#reader ?? null, ...message });
  }

  /** Tells the others that this tab closes. */
  leave(): void {
    if (this.#reader !== undefined) this.post({ type: 'gone' });
    this.#reader = undefined;
  }

  /** Calls `listener` with each message, once what it says of its tab is noted. */
  listen(listener: (message: TabMessage) => void): void {
    this.#listeners.add(listener);
  }

  #hear(message: TabMessage): void {
    const { tab, reader } = message;
    if (message.type === 'gone') this.#others.delete(tab);
    if (message.type === 'here') {
      this.#others.set(tab, { reader, visible: message.visible });
      if (message.isNew && this.#reader !== undefined)
        this.post({ type: 'here', visible: this.#visible, isNew: false });
    }
    for (const listener of this.#listeners) listener(message);
  }
}
