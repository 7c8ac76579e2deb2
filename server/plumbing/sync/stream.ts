import { Readable } from 'node:stream';
import { HEARTBEAT } from '#shared/replication';

/** A client that has read nothing for so many heartbeats is taken for gone. */
const MAX_UNREAD_BEATS = 3;

/**
 * One caller's event stream. At most one message waits for a slow client: a later revision says
 * all that the earlier ones said.
 */
export class EventStream {
  readonly body: Readable;
  readonly #origin: string;
  readonly #utilisateur: string;
  #waiting: number | null = null;
  #unread = 0;

  /**
   * @param origin of the revisions that it tells, part of each event's id
   * @param utilisateur null for an unknown caller, who may read what is shared
   */
  constructor(origin: string, utilisateur: string | null) {
    this.#origin = origin;
    this.#utilisateur = utilisateur ?? '';
    this.body = new Readable({ read: () => this.#flush() });
    // A client that hangs up during a write is not an error of the service.
    this.body.on('error', () => undefined);
    this.body.push('retry: 3000\n: ouvert\n\n');
  }

  /** Tells whether the caller may read documents of one of these owners, '' being everyone. */
  mayRead(owners: ReadonlySet<string>): boolean {
    return owners.has('') || owners.has(this.#utilisateur);
  }

  /** Says that something which the caller may read has changed, up to a revision. */
  announce(revision: number): void {
    this.#waiting = revision;
    if (this.body.readableLength === 0) this.#flush();
  }

  /** Tells clients that the connection lives, keeps proxies from closing an idle one, and detects clients that vanished. */
  beat(): void {
    if (this.body.readableLength === 0) {
      this.#unread = 0;
      this.body.push(`event: ${HEARTBEAT}\ndata: {}\n\n`);
    } else if (++this.#unread >= MAX_UNREAD_BEATS) {
      this.body.destroy();
    }
  }

  end(): void {
    this.body.push(null);
  }

  #flush(): void {
    if (this.#waiting === null) return;
    const revision = this.#waiting;
    this.#waiting = null;
    const data = JSON.stringify({ revision });
    this.body.push(`event: revision\nid: ${this.#origin}-${String(revision)}\ndata: ${data}\n\n`);
  }
}
