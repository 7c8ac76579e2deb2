import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './database.ts';

interface Certificate {
  readonly certPath: string;
  readonly keyPath: string;
  readonly cert: string;
}

/** Creates a certificate for 127.0.0.1 and localhost by hand: Node can read certificates, but not create them. */
export function certificate(days = 2): Certificate {
  const folder = temporaryFolder();
  const [certPath, keyPath] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const names = 'subjectAltName=IP:127.0.0.1,DNS:localhost';
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      String(days),
    ].concat(['-subj', '/CN=localhost', '-addext', names, '-keyout', keyPath, '-out', certPath]),
    { stdio: 'ignore' },
  );
  return { certPath, keyPath, cert: readFileSync(certPath, 'utf8') };
}
