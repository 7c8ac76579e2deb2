import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { stage } from '../../scripts/support/stage.ts';
import { noise } from '../couvertures/support/pictures.ts';
import { temporaryFolder } from '../support/database.ts';
import { send } from '../support/server.ts';

/** Nothing of the checkout, nor of this process. */
const bare = (settings: Record<string, string>) => ({
  PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
  ...settings,
});

/** The archive's folder, away from the checkout and its packages. */
function unpacked(): string {
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

const json = ['Content-Type', 'application/json'];

test.runIf(process.platform === 'linux')(
  'what the archive holds is all that runs: the service, its pictures, its page and its commands',
  async () => {
    const folder = unpacked();
    const settings = { DATABASE_PATH: join(temporaryFolder(), 'maison.sqlite') };
    const url = await start(folder, settings);

    const body = JSON.stringify({ titre: 'Nadja', format: 'Physique' });
    const added = await send(`${url}/api/livres`, { method: 'POST', headers: json, body });
    expect(added.status).toBe(201);
    const photograph = `${url}/api/livres/${String(added.json()['id'])}/couverture`;
    const stored = await send(photograph, { method: 'PUT', body: await noise(300, 400) });
    expect(stored.status).toBe(200);
    const script = await send(`${url}/api/documentation/static/swagger-ui-bundle.js`);
    expect(script.status).toBe(200);

    const backups = temporaryFolder();
    const { stdout } = await promisify(execFile)(join(folder, 'rayonnage'), ['backup', backups], {
      env: bare(settings),
    });
    expect(stdout).toMatch(/1 livre.*1 couverture/);
    expect(readdirSync(backups)).toEqual([expect.stringMatching(/^rayonnage-.*\.zip$/)]);
  },
);
