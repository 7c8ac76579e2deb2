/** Imported first by a service that a test starts in a process: none of its requests leaves this machine. */
import dns from 'node:dns';
import net from 'node:net';

const isHere = (host: string): boolean =>
  ['localhost', '::1', '::', '0.0.0.0'].includes(host) || host.startsWith('127.');

const lookup = dns.promises.lookup;

Object.assign(dns.promises, {
  lookup: (name: string, ...rest: [dns.LookupOptions]) =>
    isHere(name) ? lookup(name, ...rest) : Promise.reject(new Error(`Offline: ${name}`)),
});

/** The method by which Node opens every connection. */
const connect: unknown = Reflect.get(net.Socket.prototype, 'connect');
if (typeof connect !== 'function') throw new Error('Node opens its connections another way');

Object.assign(net.Socket.prototype, {
  connect(this: net.Socket, ...args: unknown[]): unknown {
    const host: unknown = Reflect.get(Object(args.flat()[0]), 'host');
    if (typeof host === 'string' && net.isIP(host) !== 0 && !isHere(host))
      return this.destroy(new Error(`Offline: ${host}`));
    return Reflect.apply(connect, this, args);
  },
});
