import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Gate } from './gate.ts';

export interface LookupOptions {
  /** Whether a socket may connect to an address. */
  readonly admits: (address: string) => boolean;
  /**
   * Questions at a time. Node asks for names on its pool of four threads, which reads the files of
   * the application, too, and a dead name server holds a thread for many seconds: all lookups
   * together must leave one.
   */
  readonly places: number;
  /** How long a question may wait for its turn, in milliseconds. */
  readonly timeoutMs: number;
}

/** A `lookup` for sockets that keeps only the addresses admitted, and fails where none is left. */
export function createLookup({ admits, places, timeoutMs }: LookupOptions): LookupFunction {
  const gate = new Gate(places);
  return (hostname, options, callback) => {
    gate
      .run(AbortSignal.timeout(timeoutMs), () => dns.promises.lookup(hostname, { all: true }))
      .then(
        (all) => {
          const admitted = all.filter(({ address }) => admits(address));
          const first = admitted[0];
          if (first === undefined) callback(new Error('No address to connect to'), '');
          else if (options.all === true) callback(null, admitted);
          else callback(null, first.address, first.family);
        },
        (error: unknown) =>
          callback(error instanceof Error ? error : new Error('No such name'), ''),
      );
  };
}
