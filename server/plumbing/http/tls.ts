import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A certificate chain and its key, as PEM. */
export interface Tls {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** What is wrong with a pair: the setting, and why. */
interface TlsProblem {
  readonly setting: 'TLS_CERT' | 'TLS_KEY';
  readonly reason: string;
}

/** Reads a certificate and its key from their files and checks that they belong together. */
export function readTls(certPath: string, keyPath: string): Tls | TlsProblem {
  const cert = read(certPath);
  if (cert === null) return { setting: 'TLS_CERT', reason: unreadable(certPath) };
  const key = read(keyPath);
  if (key === null) return { setting: 'TLS_KEY', reason: unreadable(keyPath) };
  const certificate = parse(() => new X509Certificate(cert));
  if (certificate === null)
    return { setting: 'TLS_CERT', reason: `« ${certPath} » n’est pas un certificat` };
  const privateKey = parse((): KeyObject => createPrivateKey(key));
  if (privateKey === null)
    return { setting: 'TLS_KEY', reason: `« ${keyPath} » n’est pas une clé privée` };
  if (!certificate.checkPrivateKey(privateKey))
    return { setting: 'TLS_KEY', reason: `« ${keyPath} » n’est pas la clé de ce certificat` };
  return { cert, key };
}

const unreadable = (path: string) => `le fichier « ${path} » ne se lit pas`;

const read = (path: string) => parse(() => readFileSync(path));

function parse<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
