/**
 * The launcher of every npm command. Runs on any Node from 20 on, without dependencies: installs what is missing,
 * then runs the command on Node 24.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { operatorLocale } from '../server/start/operator.mjs';
import { patiently } from './support/patience.mjs';
import { missingNode, NODE_MAJOR } from './support/node-version.mjs';

/** The script of each command. `serve` is for a machine that only serves: neither installs nor builds. */
const COMMANDS = {
  start: 'scripts/start.ts',
  serve: 'build/server/main.js',
  build: 'scripts/build.ts',
  dev: 'scripts/dev.ts',
  check: 'scripts/check.ts',
  test: 'scripts/test.ts',
  mutants: 'scripts/mutants.ts',
  prove: 'scripts/prove.ts',
  nightly: 'scripts/nightly.ts',
  bench: 'bench/main.ts',
  'isbn-ranges': 'scripts/isbn-ranges.ts',
  demo: 'demo/main.ts',
  import: 'scripts/import.ts',
  backup: 'scripts/backup.ts',
  restore: 'scripts/restore.ts',
  doctor: 'scripts/doctor.ts',
  accounts: 'scripts/accounts.ts',
  screenshots: 'scripts/screenshots.ts',
  package: 'scripts/package.ts',
  release: 'scripts/release.ts',
};

const SERVICES = ['start', 'serve'];

/** The package that brings Node to a Linux machine with an older one. */
const OWN_NODE = `node-${process.platform}-${process.arch}`;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const [command = '', ...args] = process.argv.slice(2);
/** Read from the source files: their compiled code needs packages that may be missing yet. */
const messages = readMessages();

process.chdir(root);
if (!(command in COMMANDS)) stop(filled(messages.operator_launch_unknown_command, { command }));
const least = missingNode(process);
if (least !== null)
  stop(filled(messages.operator_node_needed, { least, version: process.versions.node }));
if (command === 'serve') assertReadyToServe();
else if (!isInstalled()) await install();
const node = findNode();
if (command !== 'serve') makeMessages(node);
run(node, [...(SERVICES.includes(command) ? serviceFlags(node) : []), COMMANDS[command], ...args]);

function readMessages() {
  const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));
  const { locales } = read('project.inlang/settings.json');
  return read(`messages/${operatorLocale(process.env, locales)}.json`);
}

function filled(sentence, values) {
  return sentence.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

function stop(sentence) {
  console.error(sentence);
  process.exit(1);
}

function assertReadyToServe() {
  if (!existsSync(modules)) stop(messages.operator_launch_not_installed);
  if (!existsSync(join(root, COMMANDS.serve))) stop(messages.operator_launch_not_built);
}

/**
 * Whether node_modules matches package-lock.json, including Node itself; packages for other platforms may be missing.
 */
function isInstalled() {
  const wanted = readLock(join(root, 'package-lock.json'));
  const present = readLock(join(modules, '.package-lock.json'));
  return Object.entries(wanted).every(([path, { version, optional, devOptional }]) => {
    if (path === '') return true;
    const found = present[path];
    if (found !== undefined) return found.version === version;
    return Boolean(optional || devOptional) && path !== `node_modules/${OWN_NODE}`;
  });
}

function readLock(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {};
}

/** Runs the calling npm on its own Node, since `npm ci` removes the one in node_modules. */
async function install() {
  const npm = process.env.npm_execpath?.endsWith('npm-cli.js') ? process.env.npm_execpath : null;
  const node = process.env.npm_node_execpath ?? process.execPath;
  const ci = 'ci --include=dev --include=optional --engine-strict=false --loglevel=error';
  const options = { stdio: 'inherit', env: ownEnvironment() };
  const child = npm
    ? spawn(node, [npm, ...ci.split(' ')], options)
    : spawn(`npm ${ci}`, { ...options, shell: true });
  const status = await patiently(
    messages.operator_launch_installing,
    new Promise((resolve) => child.on('error', () => resolve(null)).on('close', resolve)),
  );
  if (status !== 0) stop(messages.operator_launch_install_failed);
}

function findNode() {
  if (Number.parseInt(process.versions.node, 10) >= NODE_MAJOR) return process.execPath;
  const ours = join(modules, OWN_NODE, 'bin', 'node');
  return existsSync(ours) ? ours : stop(filled(messages.operator_launch_no_node, { path: ours }));
}

/** Compiles `messages/`, which all programs and tests import, if the code is missing or older than a message. */
function makeMessages(node) {
  const made = join(root, 'src/lib/paraglide/messages.js');
  const sources = [
    join(root, 'scripts/support/messages.ts'),
    join(root, 'project.inlang/settings.json'),
    ...readdirSync(join(root, 'messages')).map((name) => join(root, 'messages', name)),
  ];
  const isFresh = (path) => statSync(path).mtimeMs < statSync(made).mtimeMs;
  if (existsSync(made) && existsSync(join(root, '.cache/messages')) && sources.every(isFresh))
    return;
  const { status, output } = spawnSync(node, ['scripts/messages.ts'], { encoding: 'utf8' });
  if (status !== 0) stop(`${messages.operator_launch_no_messages}\n${output.join('')}`);
  const now = new Date();
  utimesSync(made, now, now);
}

/**
 * Keeps short-lived garbage in 4 MB instead of 64, does not allocate directly in the old generation what lived long
 * while books were read, and collects garbage once the old generation has grown by two fifths: the service takes far
 * less memory, at the same speed (docs/decisions/0016-what-is-faster-than-need-be.md). `deploy/rayonnage` has the same
 * flags.
 */
function serviceFlags(node) {
  const flags = ['--no-allocation-site-pretenuring', '--heap-growing-percent=40'];
  // Flags of V8's, which a later Node may not know and would then refuse to start.
  const areKnown = spawnSync(node, [...flags, '--version']).status === 0;
  return ['--max-semi-space-size=4', ...(areKnown ? flags : [])];
}

/** The caller's environment without the variables that are not meant for the project's own tools. */
function ownEnvironment() {
  const meant = command === 'serve' ? [] : ['NODE_ENV', 'NODE_OPTIONS'];
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !meant.includes(name)));
}

/**
 * Runs to the end and takes over the exit code. Ctrl-C reaches the child, too, which is in the same process group; a
 * signal to this process alone is forwarded.
 */
function run(node, line) {
  const env = ownEnvironment();
  const child = spawn(node, line, {
    stdio: 'inherit',
    env: { ...env, PATH: `${dirname(node)}${delimiter}${env.PATH ?? ''}` },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      child.kill(signal);
    });
  child.on('error', (error) =>
    stop(filled(messages.operator_launch_node_failed, { reason: error.message })),
  );
  child.on('exit', (code, signal) => {
    process.exit(code ?? 128 + constants.signals[signal]);
  });
}
