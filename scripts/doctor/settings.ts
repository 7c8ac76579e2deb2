import { m } from '#messages';
import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  hostSetting,
  isServedHost,
  type HostRules,
  type ProxyList,
} from '#server/plumbing/http/identity';
import { inspect, readMigrations } from '#server/plumbing/database/migrations';
import { UnusableDatabase } from '#server/plumbing/database/unusable';
import { logOf, sizeOf } from '#server/plumbing/database/write-ahead-log';
import { compareBackups } from '#server/subjects/sauvegardes';
import { note, well, wrong, type Finding } from './finding.ts';

/** Network file systems, by their number in Linux's `statfs`. */
const NETWORK = new Map([
  [0x69_69, 'NFS'],
  [0x51_7b, 'SMB'],
  [0xff_53_4d_42, 'SMB'],
  [0xfe_53_4d_42, 'SMB'],
  [0x53_46_41_4f, 'AFS'],
  [0x00_c3_64_00, 'Ceph'],
  [0x01_02_19_97, '9p'],
]);
/** A file system run by a program: over a network, or several disks of this machine. */
const FUSE = 0x65_73_55_46;

const kindOf = (path: string): number => statfsSync(path).type;

/** Documentation addresses, which no network has: trusting one of them means trusting everyone. */
const ANYWHERE = ['198.51.100.7', '203.0.113.7', '2001:db8::7'];

/** Whether the settings of this machine trust everyone as the proxy (docs/rules.md § 1). */
export const examineProxies = (proxies: ProxyList): Finding[] =>
  ANYWHERE.some((address) => proxies.trusts(address))
    ? [wrong(m.operator_doctor_trusts_all(), m.operator_doctor_trusts_all_why())]
    : [];

/** Whether a service with this machine's settings would accept a host name. */
export function examineHost(hostname: string, rules: HostRules | null): Finding[] {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (rules === null || isServedHost(host, rules)) return [];
  return [
    note(
      m.operator_doctor_host_unserved({
        host,
        line: hostSetting(host, rules) ?? 'ALLOWED_HOSTS=…',
      }),
    ),
  ];
}

/** Examines a database that opens. A database that does not open is the only finding; an absent one has none. */
export function examineDatabase(databasePath: string, examine: () => Finding[]): Finding[] {
  try {
    return inspect(databasePath, readMigrations()) === 0 ? [] : examine();
  } catch (error) {
    if (error instanceof UnusableDatabase) return [wrong(error.message)];
    throw error;
  }
}

/**
 * Whether backups contain many more books than the database, which may have replaced another (docs/rules.md § 42).
 */
export function examineBackups(databasePath: string, folder: string): Finding[] {
  if (!existsSync(databasePath)) return [];
  const notice = compareBackups(databasePath, folder);
  return notice === null ? [] : [wrong(notice.sentence, notice.why)];
}

/** Whether the database is on a network file system, where SQLite's locks and shared memory do not work. */
export function examineFolder(databasePath: string, kind = kindOf): Finding[] {
  const folder = dirname(databasePath);
  if (!existsSync(databasePath)) return [];
  const type = kind(databasePath);
  const network = NETWORK.get(type);
  if (network !== undefined)
    return [
      wrong(
        m.operator_doctor_on_network({ kind: network, folder }),
        m.operator_doctor_on_network_why(),
      ),
    ];
  return [
    type === FUSE ? note(m.operator_doctor_on_fuse({ folder })) : well(m.operator_doctor_on_disk()),
  ];
}

/** Names what to copy when the household moves, and how to check the copy (docs/rules.md § 42). */
export function examineCopying(databasePath: string, coversPath: string): Finding[] {
  if (!existsSync(databasePath)) return [];
  const places = existsSync(coversPath)
    ? m.operator_doctor_two_places({ database: databasePath, covers: coversPath })
    : databasePath;
  const path = logOf(databasePath);
  const bytes = sizeOf(path);
  const log =
    bytes === 0
      ? m.operator_doctor_log_empty()
      : m.operator_doctor_log_full({ log: path, size: Math.ceil(bytes / 1000) });
  const command = 'sqlite3 copie.sqlite "PRAGMA integrity_check"';
  return [
    note(`${m.operator_doctor_copy({ places, log })} ${m.operator_doctor_copy_why({ command })}`),
  ];
}
