/**
 * Imported first by a service that a test starts in a process: none of its requests leaves this machine. Plain
 * JavaScript: what strips types would be 16 MB of that process, whose memory is measured.
 */
import dns from 'node:dns';
import net from 'node:net';

const isHere = (host) =>
  ['localhost', '::1', '::', '0.0.0.0'].includes(host) || host.startsWith('127.');

const { lookup } = dns.promises;

dns.promises.lookup = (name, ...rest) =>
  isHere(name) ? lookup(name, ...rest) : Promise.reject(new Error(`Offline: ${name}`));

/** The method by which Node opens every connection. */
const connect = Reflect.get(net.Socket.prototype, 'connect');
if (typeof connect !== 'function') throw new Error('Node opens its connections another way');

net.Socket.prototype.connect = function (...args) {
  const { host } = Object(args.flat()[0]);
  if (typeof host === 'string' && net.isIP(host) !== 0 && !isHere(host))
    return this.destroy(new Error(`Offline: ${host}`));
  return Reflect.apply(connect, this, args);
};
