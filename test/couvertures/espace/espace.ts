import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ipaddr from 'ipaddr.js';
import { INTERDITES, PUBLIQUE, PUBLIQUE6 } from '../cas.ts';
import type { Visite } from './sites.ts';

export interface Reponse {
  readonly status: number;
  /** All but the date. */
  readonly entetes: Readonly<Record<string, string>>;
  readonly longueur: number;
  /** Of a short one, byte by byte. */
  readonly corps: string;
}

/** What the namespace saw and what the relay in it answered. */
export interface Compte {
  readonly images: Readonly<Record<string, Reponse>>;
  readonly interdits: Readonly<Record<string, Reponse>>;
  readonly sansImage: Readonly<Record<string, Reponse>>;
  readonly bascules: readonly Readonly<Record<string, Reponse>>[];
  readonly inconnues: Readonly<Record<string, Reponse>>;
  readonly visites: readonly Visite[];
  readonly effractions: readonly Visite[];
}

export type Espace = { readonly possible: true } | { readonly possible: false; raison: string };

const ICI = fileURLToPath(new URL('.', import.meta.url));

/** Addresses as « family hex »: what the script that raises the loopback reads. */
const adresses = [PUBLIQUE, PUBLIQUE6, ...INTERDITES].map((adresse) =>
  Buffer.from(ipaddr.parse(adresse).toByteArray()).toString('hex'),
);

/** Whether this machine makes network namespaces, with names and addresses of our own in them. */
export function essayer(): Espace {
  if (process.platform !== 'linux') return { possible: false, raison: 'not on Linux' };
  const { status, stderr, error } = dans(['true']);
  if (status === 0) return { possible: true };
  return { possible: false, raison: error?.message ?? stderr.trim() };
}

/** Runs the cases inside a namespace of their own. */
export function compter(): Compte {
  const dossier = mkdtempSync(join(tmpdir(), 'rayonnage-compte-'));
  try {
    const sortie = join(dossier, 'compte.json');
    const { status, stderr } = dans([process.execPath, join(ICI, 'enfant.ts'), sortie]);
    if (status !== 0) throw new Error(`The namespace failed: ${stderr}`);
    return JSON.parse(readFileSync(sortie, 'utf8')) as Compte;
  } finally {
    rmSync(dossier, { recursive: true });
  }
}

/** A proxy of the environment, which the relay must not know: it stands at a forbidden address. */
const PROXY = {
  NODE_USE_ENV_PROXY: '1',
  HTTP_PROXY: 'http://10.0.0.1',
  http_proxy: 'http://10.0.0.1',
  HTTPS_PROXY: 'http://10.0.0.1',
  NO_PROXY: '127.0.0.1',
  no_proxy: '127.0.0.1',
};

/** As root, or as root of a user namespace; names come from the namespace's own server alone. */
function dans(commande: readonly string[]) {
  const dossier = mkdtempSync(join(tmpdir(), 'rayonnage-noms-'));
  writeFileSync(
    join(dossier, 'resolv.conf'),
    'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n',
  );
  writeFileSync(join(dossier, 'nsswitch.conf'), 'hosts: files dns\n');
  const options = process.getuid?.() === 0 ? '-nm' : '-rnm';
  const script = [join(ICI, 'ouvrir.sh'), dossier, adresses.join(' ')];
  const run = spawnSync('unshare', [options, '--', 'sh', ...script, ...commande], {
    encoding: 'utf8',
    timeout: 120_000,
    env: { ...process.env, ...PROXY },
  });
  rmSync(dossier, { recursive: true });
  return run;
}
