import { X509Certificate } from 'node:crypto';
import { request as askHttp } from 'node:http';
import { request as askHttps } from 'node:https';
import { json } from 'node:stream/consumers';
import type { Config } from '#server/config';

interface Question {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly timeoutMs?: number;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Sends a request to the running service with this machine's settings. Rejects if none answers, if the response is no
 * JSON, or if the certificate is not the configured one; its signer and name do not matter.
 */
export async function askService(
  { host, port, tls }: Pick<Config, 'host' | 'port' | 'tls'>,
  path: string,
  { method = 'GET', headers = {}, body, timeoutMs }: Question,
): Promise<Answer> {
  const address = {
    host: host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host,
    port,
    path,
    method,
    headers: { ...headers, ...(body && { 'Content-Length': body.length }) },
    ...(timeoutMs !== undefined && { signal: AbortSignal.timeout(timeoutMs) }),
  };
  return new Promise((resolve, reject) => {
    const asked =
      tls === null ? askHttp(address) : askHttps({ ...address, ...trustOnly(tls.cert) });
    asked.on('error', reject);
    asked.on('response', (response) => {
      json(response).then(
        (answer) => resolve({ status: response.statusCode ?? 0, body: answer }),
        reject,
      );
    });
    asked.end(body);
  });
}

function trustOnly(cert: Buffer) {
  const { fingerprint256 } = new X509Certificate(cert);
  return {
    ca: cert,
    // Trusts a certificate signed by an authority that this process does not know.
    allowPartialTrustChain: true,
    checkServerIdentity: (_host: string, peer: { readonly fingerprint256: string }) =>
      peer.fingerprint256 === fingerprint256 ? undefined : new Error('Another certificate'),
  };
}
