/** Imported first by service and commands: on an older Node they end with a sentence instead of a syntax error. */
import { operatorLocale } from './operator.mjs';

/** A sentence by language; put here by the build, since an older Node could not read the messages. */
declare const OLDER_NODE: Readonly<Record<string, string>>;

const { version, versions } = process;
if (typeof OLDER_NODE !== 'undefined' && Number.parseInt(versions.node, 10) < 24) {
  const sentence = OLDER_NODE[operatorLocale(process.env, Object.keys(OLDER_NODE))] ?? '';
  process.stderr.write(`${sentence.replace('{version}', version)}\n`);
  process.exit(1);
}

// Files are readable by their own account only: they contain everyone's data.
process.umask(0o077);
