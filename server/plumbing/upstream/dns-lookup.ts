import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import PQueue from 'p-queue';

/** Lookups that may wait for their turn. */
const MAX_WAITING = 100;

interface LookupOptions {
  /** Whether a socket may connect to an address. */
  readonly admits: (address: string) => boolean;
  /**
   * Lookups at a time. Node resolves names on its pool of four threads, which also reads the files
   * of the application, and a dead name server blocks a thread for many seconds: all lookups of the
   * process together must leave one free.
   */
  readonly maxConcurrent: number;
  /** How long a lookup may wait for its turn, in milliseconds; one that has waited longer is not asked. */
  readonly timeoutMs: number;
}

/** A `lookup` for sockets that keeps only the addresses admitted, and fails where none is left. */
export function createDnsLookup(options: LookupOptions): LookupFunction {
  const { admits, maxConcurrent, timeoutMs } = options;
  const queue = new PQueue({ concurrency: maxConcurrent });
  const lookUp = async (hostname: string) => {
    if (queue.size >= MAX_WAITING) throw new Error('Too many lookups are waiting');
    const patience = AbortSignal.timeout(timeoutMs);
    // Given to the queue, the signal would free the place of a lookup that still blocks its thread.
    return queue.add(() => {
      patience.throwIfAborted();
      return dns.promises.lookup(hostname, { all: true });
    });
  };
  return (hostname, { all: wantsAll }, callback) => {
    lookUp(hostname).then(
      (all) => {
        const admitted = all.filter(({ address }) => admits(address));
        const first = admitted[0];
        if (first === undefined) callback(new Error('No address to connect to'), '');
        else if (wantsAll === true) callback(null, admitted);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error('No such name'), ''),
    );
  };
}
