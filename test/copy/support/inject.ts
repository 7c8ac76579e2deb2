import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';

/** A request without a socket, with headers as the service reads them. */
export class InjectedRequest extends Readable {
  declare headers: IncomingHttpHeaders;

  get headersDistinct(): Record<string, string[]> {
    const all = Object.entries(this.headers);
    return Object.fromEntries(all.map(([name, value]) => [name, [String(value)]]));
  }
}
