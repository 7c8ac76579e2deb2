/**
 * Preloaded by services that tests start: refuses requests to other machines. Plain JavaScript, since stripping types
 * would add 16 MB to a process whose memory is measured.
 */
import dns from 'node:dns';
import net from 'node:net';

const isHere = (host) =>
  ['localhost', '::1', '::', '0.0.0.0'].includes(host) || host.startsWith('127.');

const { lookup } = dns.promises;

dns.promises.lookup = (name, ...rest) =>
  isHere(name) ? lookup(name, ...rest) : Promise.reject(new Error(`Offline: ${name}`));

/** The method that opens every TCP connection of Node. */
const connect = Reflect.get(net.Socket.prototype, 'connect');
if (typeof connect !== 'function') throw new Error('Node opens its connections another way');

net.Socket.prototype.connect = function (...args) {
  const { host } = Object(args.flat()[0]);
  if (typeof host === 'string' && net.isIP(host) !== 0 && !isHere(host))
    return this.destroy(new Error(`Offline: ${host}`));
  return Reflect.apply(connect, this, args);
};
