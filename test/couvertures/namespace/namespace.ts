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
  /** Without the date. */
  readonly headers: Readonly<Record<string, string>>;
  readonly length: number;
  /** The bytes of a short body. */
  readonly payload: string;
}

/** The requests that arrived inside the namespace, and the relay's responses. */
export interface Outcome {
  readonly images: Readonly<Record<string, RelayAnswer>>;
  readonly refused: Readonly<Record<string, RelayAnswer>>;
  readonly withoutImage: Readonly<Record<string, RelayAnswer>>;
  readonly switching: readonly Readonly<Record<string, RelayAnswer>>[];
  readonly unknownUrls: Readonly<Record<string, RelayAnswer>>;
  /** The statuses of a cover requested after slow ones, and of another person's at the same time. */
  readonly inLine: { readonly behind: number; readonly ofAnother: number };
  readonly visits: readonly Visit[];
  readonly breakIns: readonly Visit[];
}

type NamespaceSupport = { readonly possible: true } | { readonly possible: false; reason: string };

const HERE = fileURLToPath(new URL('.', import.meta.url));

/** Addresses as « family hex », for the script that configures the loopback. */
const addresses = [PUBLIC_IPV4, PUBLIC_IPV6, ...FORBIDDEN_ADDRESSES].map((address) =>
  Buffer.from(ipaddr.parse(address).toByteArray()).toString('hex'),
);

/** Whether this machine supports network namespaces with their own names and addresses. */
export function probeNamespace(): NamespaceSupport {
  if (process.platform !== 'linux') return { possible: false, reason: 'not on Linux' };
  const { status, stderr, error } = inNamespace(['true']);
  if (status === 0) return { possible: true };
  return { possible: false, reason: error?.message ?? stderr.trim() };
}

/** Runs the cases inside a new namespace. */
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

/** Proxy settings that the relay must ignore: the proxy has a forbidden address. */
const PROXY = {
  NODE_USE_ENV_PROXY: '1',
  HTTP_PROXY: 'http://10.0.0.1',
  http_proxy: 'http://10.0.0.1',
  HTTPS_PROXY: 'http://10.0.0.1',
  NO_PROXY: '127.0.0.1',
  no_proxy: '127.0.0.1',
};

/** As root, or as root of a user namespace; only the namespace's own server resolves names. */
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
