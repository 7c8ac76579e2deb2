import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Gate } from './gate.ts';

/**
 * Node asks for names on its pool of four threads, which reads the files of the application, too.
 * A dead name server holds a thread for many seconds: two questions at a time leave it two.
 */
const gate = new Gate(2);

const forever = new AbortController().signal;

/** All the addresses of a name, as the system knows them. */
export const addressesOf = (hostname: string): Promise<dns.LookupAddress[]> =>
  gate.run(forever, () => dns.promises.lookup(hostname, { all: true }));

/** A `lookup` for sockets that keeps only the addresses admitted, and fails where none is left. */
export function lookupOf(admits: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    addressesOf(hostname).then(
      (all) => {
        const admitted = all.filter(({ address }) => admits(address));
        const first = admitted[0];
        if (first === undefined) callback(new Error('No address to connect to'), '');
        else if (options.all === true) callback(null, admitted);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };
}
