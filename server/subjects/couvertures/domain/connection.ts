import { isIP } from 'node:net';
import type { buildConnector } from 'undici';
import { Connections } from '#server/plumbing/upstream/connections';
import { createDnsLookup } from '#server/plumbing/upstream/dns-lookup';
import { isPublic } from './address.ts';

/**
 * The connections of the relay, which open only to public addresses and use no proxy of the
 * environment. A socket gets the addresses that the lookup has admitted: it connects to the one that
 * was checked, even if the name resolves to another a moment later. A literal address is never looked
 * up, and is checked as it is.
 *
 * @param timeoutMs for each phase of a request
 * @param connections to one host at a time
 */
export const openPublicAgent = (timeoutMs: number, connections: number): Connections =>
  new Connections(({ Agent, buildConnector }) => {
    const connect = buildConnector({
      timeout: timeoutMs,
      allowH2: false,
      lookup: createDnsLookup({ admits: isPublic, maxConcurrent: 2, timeoutMs }),
    });
    return new Agent({
      connect: onlyPublic(connect),
      connections,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
  });

function onlyPublic(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) => {
    if (isIP(options.hostname) !== 0 && !isPublic(options.hostname)) {
      callback(new Error('Not a public address'), null);
    } else {
      connect(options, callback);
    }
  };
}
