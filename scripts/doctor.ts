import { m } from '#messages';
import { readFileSync } from 'node:fs';
import { readConfig } from '#server/config';
import { defaultFolder } from '#server/plumbing/database/backup/backup';
import { examine } from './doctor/examine.ts';
import type { Finding } from './doctor/finding.ts';
import {
  examineBackups,
  examineCopying,
  examineDatabase,
  examineFolder,
  examineHost,
  examineProxies,
} from './doctor/settings.ts';
import { readCommandLine, wrongUsage, type Help } from './support/command-line.ts';
import { exitOnError } from './support/exit-on-error.ts';
import { fromCaller } from './support/from-caller.ts';

/**
 * `npm run doctor -- https://maison.example/biblio/`: reports in plain sentences how the service works at an address,
 * and whether this machine's settings put the database on a network file system or trust everyone as the proxy. Fails
 * on a fault.
 */

const HELP: Help = {
  usage: m.operator_doctor_usage,
  options: {
    user: m.operator_doctor_option_user,
    cookie: m.operator_doctor_option_cookie,
    key: m.operator_doctor_option_key,
    authority: m.operator_doctor_option_authority,
  },
};

const MARKS = { well: '✓', wrong: '✗', note: '·' } as const;

void exitOnError(async () => {
  const { positionals, value } = readCommandLine(HELP);
  const base = URL.parse(positionals[0]?.replace(/\/*$/, '/') ?? '');
  if (base === null || !/^https?:$/.test(base.protocol) || positionals.length !== 1)
    throw wrongUsage(HELP);
  const authority = value('authority');
  const ca = authority === null ? undefined : readAuthority(fromCaller(authority));
  let faults = 0;
  const tell = ({ kind, sentence, why }: Finding) => {
    if (kind === 'wrong') faults++;
    console.log(`${MARKS[kind]} ${sentence}${why === undefined ? '' : `\n  ${why}`}`);
  };
  const [cookie, user, key] = [value('cookie'), value('user'), value('key')].map(
    (given) => given ?? undefined,
  );
  const { backupPath, coversPath, databasePath, proxies, hosts, identity } = readConfig(
    process.env,
  );
  const headers = Object.values(identity.headers);
  let answers = false;
  for await (const finding of examine({ base, cookie, user, key, ca, headers })) {
    answers ||= finding.isService === true;
    tell(finding);
  }
  const backups = backupPath ?? defaultFolder(databasePath);
  const ofSettings = [
    ...(answers ? [] : examineHost(base.hostname, hosts)),
    ...examineDatabase(databasePath, () => [
      ...examineFolder(databasePath),
      ...examineBackups(databasePath, backups),
      ...examineCopying(databasePath, coversPath),
    ]),
    ...examineProxies(proxies),
  ];
  for (const finding of ofSettings) tell(finding);
  if (faults > 0) process.exitCode = 1;
  console.log(
    faults === 0 ? m.operator_doctor_nothing_wrong() : m.operator_doctor_wrong({ count: faults }),
  );
});

function readAuthority(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new Error(m.operator_doctor_unread_authority({ path }));
  }
}
