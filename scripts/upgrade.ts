import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { Type } from 'typebox';
import { Parse } from 'typebox/value';
import { exitOnError } from './support/exit-on-error.ts';
import { fromCaller } from './support/from-caller.ts';
import { isSound, lostRows, schemaOf } from './upgrade/lost-rows.ts';

/**
 * `npm run prove -- upgrade maison.sqlite [--kills 10]`: opens copies of an earlier version's database as a start
 * does, and compares them with it row by row: once undisturbed, once from the upgrade's own backup, and killed at
 * several moments of a start. No service may have the file open.
 */

const Upgrade = Type.Object({ from: Type.Integer(), to: Type.Integer(), copy: Type.String() });

await exitOnError(async () => {
  const { values, positionals } = parseArgs({
    options: { kills: { type: 'string', default: '10' } },
    allowPositionals: true,
  });
  const [file, ...others] = positionals;
  const kills = Number(values.kills);
  if (file === undefined || others.length > 0)
    throw new Error('npm run prove -- upgrade maison.sqlite [--kills 10]');
  const former = fromCaller(file);
  const folder = mkdtempSync(join(tmpdir(), 'rayonnage-upgrade-'));
  try {
    const { startMs, copy } = await upgradeInPeace(former, join(folder, 'calm.sqlite'));
    await upgradeInPeace(copy, join(folder, 'again', 'calm.sqlite'));
    for (let kill = 1; kill <= kills; kill++)
      await upgradeKilled(
        former,
        join(folder, `${kill}`, 'killed.sqlite'),
        (startMs * kill) / (kills + 1),
      );
    console.log(`upgrade: nothing lost, in ${kills + 2} upgrades`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

async function upgradeInPeace(former: string, path: string) {
  copyDatabase(former, path);
  const { said, startMs } = await start(path);
  const { from, to, copy } = Parse(Upgrade, JSON.parse(said));
  requireNothingLost(former, path);
  requireNothingLost(former, copy);
  console.log(`✓ from schema ${from} to ${to} in ${Math.round(startMs)} ms`);
  return { startMs, copy };
}

async function upgradeKilled(former: string, path: string, afterMs: number) {
  copyDatabase(former, path);
  await start(path, afterMs);
  const left = schemaOf(path);
  requireNothingLost(former, path);
  await start(path);
  requireNothingLost(former, path);
  console.log(
    `✓ killed after ${Math.round(afterMs)} ms, at schema ${left}; the next start went through`,
  );
}

function copyDatabase(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  for (const part of ['', '-wal'])
    if (existsSync(from + part)) copyFileSync(from + part, to + part);
}

function requireNothingLost(former: string, path: string): void {
  const faults = [...(isSound(path) ? [] : ['integrity_check']), ...lostRows(former, path)];
  if (faults.length > 0) throw new Error(`${path}: ${faults.join('; ')}`);
}

/**
 * Opens a database in its own process.
 *
 * @param killAfterMs kills the process this long after its beginning; otherwise a failure is an error
 */
async function start(path: string, killAfterMs?: number) {
  const script = join(import.meta.dirname, 'upgrade/open.ts');
  const child = spawn(process.execPath, [script, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  await lines.next();
  const begin = performance.now();
  const clock =
    killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  const said = await lines.next();
  const startMs = performance.now() - begin;
  const code = await ended;
  clearTimeout(clock);
  if (killAfterMs === undefined && code !== 0) throw new Error(`${path}: ${code}`);
  return { said: String(said.value), startMs };
}
