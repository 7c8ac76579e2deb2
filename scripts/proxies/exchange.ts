import { once } from 'node:events';
import {
  connect,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

/** The timeout of everything in this proof, which shows that something is held back. */
const LIMIT_MS = 20_000;

const PIECE = 65_536;
const EMPTY = new Uint8Array();

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** An HTTP/2 connection to a proxy, like that of a browser which trusts its authority. */
export class Connection {
  readonly #session: ClientHttp2Session;

  private constructor(session: ClientHttp2Session) {
    this.#session = session;
  }

  static async open(port: number, ca: string): Promise<Connection> {
    const session = connect(`https://localhost:${port}`, { ca });
    await once(session, 'connect', { signal: AbortSignal.timeout(LIMIT_MS) });
    // From here on each request reports its own failure.
    session.on('error', () => undefined);
    return new Connection(session);
  }

  get protocol(): string | undefined {
    return this.#session.alpnProtocol;
  }

  async ask(
    path: string,
    given: OutgoingHttpHeaders = {},
    body: Uint8Array = EMPTY,
  ): Promise<Answer> {
    const signal = AbortSignal.timeout(LIMIT_MS);
    const stream = this.#session.request({ ':path': path, ...given });
    // In pieces, since an HTTP/2 session of Node accepts only so much at once.
    Readable.from(piecesOf(body)).pipe(stream);
    const headers = await new Promise<IncomingHttpHeaders>((resolve, reject) => {
      stream.once('response', resolve).once('error', reject);
      signal.addEventListener('abort', () => reject(new Error('no answer in time')));
    });
    const bytes = await buffer(stream);
    return { status: Number(headers[':status']), headers, bytes };
  }

  listen(path: string, given: OutgoingHttpHeaders): ClientHttp2Stream {
    const stream = this.#session.request({ ':path': path, ...given });
    stream.on('error', () => undefined);
    return stream.setEncoding('utf8');
  }

  close(): void {
    this.#session.destroy();
  }
}

function* piecesOf(body: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < body.length; from += PIECE) yield body.subarray(from, from + PIECE);
}

export async function heard(stream: ClientHttp2Stream, text: string): Promise<void> {
  const signal = AbortSignal.timeout(LIMIT_MS);
  for (let said = ''; !said.includes(text);)
    said += String((await once(stream, 'data', { signal }))[0]);
}
