// cspell:words pkeyopt paramgen keyout Acreateserial extfile -- options of openssl
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Authority {
  readonly ca: string;
  readonly certPath: string;
  readonly keyPath: string;
}

const CURVE = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

export function createAuthority(folder: string): Authority {
  const at = (name: string) => join(folder, name);
  const [caPath, caKey] = [at('ca.pem'), at('ca.key')];
  const [certPath, keyPath] = [at('cert.pem'), at('key.pem')];
  const [request, names] = [at('cert.csr'), at('names')];
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' });
  const ofAuthority = ['-subj', '/CN=The authority of the proof', '-days', '2'];
  openssl('req', '-x509', ...CURVE, ...ofAuthority, '-keyout', caKey, '-out', caPath);
  openssl('req', ...CURVE, '-subj', '/CN=localhost', '-keyout', keyPath, '-out', request);
  writeFileSync(names, 'subjectAltName=DNS:localhost,IP:127.0.0.1');
  const signed = ['-CA', caPath, '-CAkey', caKey, '-CAcreateserial', '-extfile', names];
  openssl('x509', '-req', '-in', request, ...signed, '-days', '2', '-out', certPath);
  return { ca: readFileSync(caPath, 'utf8'), certPath, keyPath };
}
