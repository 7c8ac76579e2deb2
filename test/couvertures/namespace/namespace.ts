import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ipaddr from 'ipaddr.js';
import { FORBIDDEN_ADDRESSES, PUBLIC_IPV4, PUBLIC_IPV6 } from '../cases.ts';
import type { Visit } from './sites.ts';

export interface RelayAnswer {
  readonly status: number;
  /** All but the date. */
  readonly headers: Readonly<Record<string, string>>;
  readonly length: number;
  /** Of a short one, byte by byte. */
  readonly payload: string;
}

/** What the namespace saw and what the relay in it answered. */
export interface Outcome {
  readonly images: Readonly<Record<string, RelayAnswer>>;
  readonly refused: Readonly<Record<string, RelayAnswer>>;
  readonly withoutImage: Readonly<Record<string, RelayAnswer>>;
  readonly switching: readonly Readonly<Record<string, RelayAnswer>>[];
  readonly unknownUrls: Readonly<Record<string, RelayAnswer>>;
  /** The statuses of a cover behind slow ones, and of another person's meanwhile. */
  readonly inLine: { readonly behind: number; readonly ofAnother: number };
  readonly visits: readonly Visit[];
  readonly breakIns: readonly Visit[];
}

type NamespaceSupport = { readonly possible: true } | { readonly possible: false; reason: string };

const HERE = fileURLToPath(new URL('.', import.meta.url));

/** Addresses as « family hex »: what the script that raises the loopback reads. */
const addresses = [PUBLIC_IPV4, PUBLIC_IPV6, ...FORBIDDEN_ADDRESSES].map((address) =>
  Buffer.from(ipaddr.parse(address).toByteArray()).toString('hex'),
);

/** Whether this machine makes network namespaces, with names and addresses of our own in them. */
export function probeNamespace(): NamespaceSupport {
  if (process.platform !== 'linux') return { possible: false, reason: 'not on Linux' };
  const { status, stderr, error } = inNamespace(['true']);
  if (status === 0) return { possible: true };
  return { possible: false, reason: error?.message ?? stderr.trim() };
}

/** Runs the cases inside a namespace of their own. */
export function runInNamespace(): Outcome {
  const folder = mkdtempSync(join(tmpdir(), 'rayonnage-outcome-'));
  try {
    const output = join(folder, 'outcome.json');
    const { status, stderr } = inNamespace([process.execPath, join(HERE, 'child.ts'), output]);
    if (status !== 0) throw new Error(`The namespace failed: ${stderr}`);
    return JSON.parse(readFileSync(output, 'utf8')) as Outcome;
  } finally {
    rmSync(folder, { recursive: true });
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
function inNamespace(command: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'rayonnage-names-'));
  writeFileSync(
    join(folder, 'resolv.conf'),
    'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n',
  );
  writeFileSync(join(folder, 'nsswitch.conf'), 'hosts: files dns\n');
  const options = process.getuid?.() === 0 ? '-nm' : '-rnm';
  const script = [join(HERE, 'open.sh'), folder, addresses.join(' ')];
  const run = spawnSync('unshare', [options, '--', 'sh', ...script, ...command], {
    encoding: 'utf8',
    timeout: 120_000,
    env: { ...process.env, ...PROXY },
  });
  rmSync(folder, { recursive: true });
  return run;
}
