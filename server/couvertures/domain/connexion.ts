import { isIP } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { createLookup } from '#server/upstream/names';
import { estPublique } from './adresse.ts';

/** A browser's own habit: connections at a time to one host. */
const CONNEXIONS = 6;

/**
 * The connections of the relay, which open only to public addresses and know no proxy of the
 * environment. A name is looked up here and nowhere else: a socket gets the addresses that were
 * admitted, so the one it connects to is the one that was checked, and a name that points elsewhere
 * a moment later changes nothing. A literal address is never looked up, so it is checked as it is.
 */
export function openPublicAgent(timeoutMs: number): Agent {
  return new Agent({
    connect: publicConnector(timeoutMs),
    connections: CONNEXIONS,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
}

function publicConnector(timeoutMs: number): buildConnector.connector {
  const connect = buildConnector({
    timeout: timeoutMs,
    allowH2: false,
    lookup: createLookup({ admits: estPublique, places: 2, timeoutMs }),
  });
  return (options, callback) => {
    if (isIP(options.hostname) !== 0 && !estPublique(options.hostname)) {
      callback(new Error('Not a public address'), null);
    } else {
      connect(options, callback);
    }
  };
}
