import { m } from '#messages';
import { request as askHttp, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { request as askHttps } from 'node:https';
import { connect, type PeerCertificate } from 'node:tls';

export const PATIENCE_MS = 8_000;

export interface Place {
  readonly base: URL;
  /** The session cookie of a signed-in reader, as a browser sends it. */
  readonly cookie?: string | undefined;
  /** The name and password that a proxy asks for, with a colon between them. */
  readonly user?: string | undefined;
  /** A key of a service that has accounts. */
  readonly key?: string | undefined;
  /** The headers in which the sign-on layer names people according to this machine's settings, in lower case. */
  readonly headers?: readonly string[] | undefined;
  /** An additional certificate authority, in PEM. */
  readonly ca?: string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The whole text, or the beginning of an endless stream. */
  readonly text: string;
}

export function ask(
  { base, cookie, user, key, ca }: Place,
  path: string,
  {
    method = 'GET',
    headers = {},
    isStream = false,
    body = '',
  }: {
    method?: 'GET' | 'POST';
    headers?: OutgoingHttpHeaders;
    isStream?: boolean;
    body?: string;
  } = {},
): Promise<Answer> {
  const url = new URL(path, base);
  const options = {
    method,
    headers: {
      accept: 'application/json',
      'accept-language': m.locale(),
      ...(cookie !== undefined && { cookie }),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== '' && { 'content-length': Buffer.byteLength(body) }),
      ...headers,
    },
    ...(user !== undefined && { auth: user }),
    signal: AbortSignal.timeout(PATIENCE_MS),
    agent: false as const,
  };
  return new Promise((resolve, reject) => {
    const asked =
      url.protocol === 'https:' ? askHttps(url, { ...options, ca }) : askHttp(url, options);
    asked.on('error', reject);
    asked.on('response', (response) => {
      const { statusCode: status = 0, headers: answered } = response;
      let text = '';
      const finish = () => {
        resolve({ status, headers: answered, text });
        asked.destroy();
      };
      response.setEncoding('utf8').on('error', reject);
      response.on('data', (chunk: string) => {
        text += chunk;
        if (isStream) finish();
      });
      response.on('end', finish);
    });
    asked.end(body);
  });
}

/** Resolves with a trusted host's certificate, and whether it supports HTTP/2. */
export function handshake({
  base,
  ca,
}: Place): Promise<{ readonly certificate: PeerCertificate; readonly isHttp2: boolean }> {
  const { hostname, port } = base;
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port: Number(port || 443),
      ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
      ca,
      ALPNProtocols: ['h2', 'http/1.1'],
      timeout: PATIENCE_MS,
    });
    socket.once('error', reject);
    socket.once('timeout', () => socket.destroy(new Error('no answer in time')));
    socket.once('secureConnect', () => {
      const isHttp2 = socket.alpnProtocol === 'h2';
      resolve({ certificate: socket.getPeerCertificate(), isHttp2 });
      socket.destroy();
    });
  });
}

/** The result of a request, or the code of its failure. */
export async function outcomeOf<T>(
  work: () => Promise<T>,
): Promise<T | { readonly reason: string }> {
  try {
    return await work();
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : null;
    return { reason: typeof code === 'string' ? code : String(error) };
  }
}
