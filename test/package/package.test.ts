// @module-tag process
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { stage } from '../../scripts/support/stage.ts';
import { temporaryFolder } from '../support/database.ts';
import { smoke } from './smoke.ts';

/** Nothing of the checkout, nor of this process. */
const bare = (settings: Record<string, string>) => ({
  PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
  ...settings,
});

/** The archive's folder, away from the checkout and its packages: `ARCHIVE` unpacked, else one of this build. */
function unpacked(): string {
  const given = process.env['ARCHIVE'];
  if (given !== undefined) return given;
  const folder = temporaryFolder();
  stage(folder, process.arch === 'arm64' ? 'arm64' : 'x64');
  return folder;
}

async function start(folder: string, settings: Record<string, string>): Promise<string> {
  const service = spawn(join(folder, 'rayonnage'), {
    cwd: temporaryFolder(),
    env: bare({ PORT: '0', ...settings }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void service.kill('SIGKILL'));
  const [said] = (await once(service.stdout, 'data')) as [Buffer];
  return /http:\S+/.exec(said.toString())?.[0] ?? said.toString();
}

test.runIf(process.platform === 'linux')(
  'what the archive holds is all that runs: the service, its pictures, its page and its commands',
  async () => {
    const folder = unpacked();
    const settings = { DATABASE_PATH: join(temporaryFolder(), 'maison.sqlite') };
    const command = (line: string[], more: Record<string, string> = {}) =>
      promisify(execFile)(join(folder, 'rayonnage'), line, { env: bare({ ...settings, ...more }) });
    const url = await start(folder, settings);
    await smoke(url);

    await command(['health'], { PORT: new URL(url).port });
    await expect(command(['health'], { PORT: '1' })).rejects.toThrow(/ECONNREFUSED/);
    await expect(command(['doctor', url])).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining('sans chiffrement') as string,
    });
    const backups = temporaryFolder();
    const { stdout } = await command(['backup', backups]);
    expect(stdout).toMatch(/1 livre.*1 couverture/);
    expect(readdirSync(backups)).toEqual([expect.stringMatching(/^rayonnage-.*\.zip$/)]);
  },
);
