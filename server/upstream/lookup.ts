import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import { FairQueue } from './queue.ts';

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
  /** How long a lookup may wait for its turn, in milliseconds. */
  readonly timeoutMs: number;
}

/** A `lookup` for sockets that keeps only the addresses admitted, and fails where none is left. */
export function createLookup(options: LookupOptions): LookupFunction {
  const { admits, maxConcurrent, timeoutMs } = options;
  const queue = new FairQueue({ total: maxConcurrent, waiting: MAX_WAITING });
  return (hostname, { all: wantsAll }, callback) => {
    queue
      .run({ owner: '', signal: AbortSignal.timeout(timeoutMs) }, () =>
        dns.promises.lookup(hostname, { all: true }),
      )
      .then(
        (all) => {
          const admitted = all.filter(({ address }) => admits(address));
          const first = admitted[0];
          if (first === undefined) callback(new Error('No address to connect to'), '');
          else if (wantsAll === true) callback(null, admitted);
          else callback(null, first.address, first.family);
        },
        (error: unknown) =>
          callback(error instanceof Error ? error : new Error('No such name'), ''),
      );
  };
}
