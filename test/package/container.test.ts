import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../support/database.ts';
import { smoke } from './smoke.ts';

/**
 * A folder with the image's files in `root` and its configuration in `image.json`, created by `scripts/container.ts`.
 */
const IMAGE = process.env['IMAGE'] ?? '';

const Lines = Type.Array(Type.String());
const Inspected = Type.Object({
  Docker: Type.Object({
    config: Type.Object({
      User: Type.String(),
      Env: Lines,
      Entrypoint: Lines,
      Cmd: Lines,
      WorkingDir: Type.String(),
      Volumes: Type.Record(Type.String(), Type.Object({})),
      Healthcheck: Type.Object({ Test: Lines }),
    }),
  }),
});

const VOLUME = '/var/lib/rayonnage';

/** Runs the image as a container engine does: its user, read-only files, no privileges, one writable folder. */
class Container {
  readonly config = Value.Parse(Inspected, JSON.parse(read('image.json'))).Docker.config;
  readonly data = temporaryFolder();
  readonly port: string;
  readonly #id: number;

  constructor(port: string) {
    this.port = port;
    this.#id = Number(this.config.User.split(':')[0]);
    chownSync(this.data, this.#id, this.#id);
    chmodSync(this.data, 0o700);
  }

  /** Confines a command line of the image's own programs. */
  #confined(line: readonly string[]): string[] {
    const env = [...this.config.Env, `PORT=${this.port}`].flatMap((each) => {
      const [name = '', value = ''] = each.split(/=(.*)/s);
      return ['--setenv', name, value];
    });
    const id = String(this.#id);
    return [
      '--unshare-user',
      '--unshare-ipc',
      '--unshare-pid',
      '--unshare-uts',
      '--uid',
      id,
      '--gid',
      id,
      '--cap-drop',
      'ALL',
      '--die-with-parent',
      '--new-session',
      '--ro-bind',
      join(IMAGE, 'root'),
      '/',
      '--proc',
      '/proc',
      '--dev',
      '/dev',
      '--bind',
      this.data,
      VOLUME,
      '--clearenv',
      ...env,
      '--chdir',
      this.config.WorkingDir,
      ...line,
    ];
  }

  #as() {
    return { uid: this.#id, gid: this.#id };
  }

  /** Starts the service; resolves with its address once it listens. */
  async start(): Promise<string> {
    const { Entrypoint, Cmd } = this.config;
    const service = spawn('bwrap', this.#confined([...Entrypoint, ...Cmd]), {
      stdio: ['ignore', 'pipe', 'inherit'],
      ...this.#as(),
    });
    onTestFinished(() => void service.kill('SIGKILL'));
    const [output] = (await once(service.stdout, 'data')) as [Buffer];
    return `http://127.0.0.1:${/:(\d+)/.exec(output.toString())?.[1] ?? output.toString()}`;
  }

  run(line: readonly string[]) {
    return spawnSync('bwrap', this.#confined(line), { encoding: 'utf8', ...this.#as() });
  }
}

const read = (name: string) => readFileSync(join(IMAGE, name), 'utf8');

const PORT = '34814';

test('the image serves without rights, and writes only its data', async () => {
  const container = new Container(PORT);
  const { config } = container;
  expect(config.User).toBe('65532:65532');
  expect(Object.keys(config.Volumes)).toEqual([VOLUME]);
  const [kind, ...health] = config.Healthcheck.Test;
  expect(kind).toBe('CMD');

  expect(container.run(health).status).toBe(1);
  await smoke(await container.start());
  expect(container.run(health)).toMatchObject({ status: 0, stderr: '' });

  const backup = container.run([...config.Entrypoint, 'backup.js']);
  expect(backup).toMatchObject({ status: 0, stderr: '' });
  expect(backup.stdout).toMatch(/1 livre.*1 couverture/);
  expect(readdirSync(join(container.data, 'sauvegardes'))).toHaveLength(1);
  const writing = `fs.writeFileSync('/app/server/main.js', '')`;
  expect(container.run([...config.Entrypoint, '-e', writing]).stderr).toContain('EROFS');
  expect(container.run(['/bin/sh', '-c', 'true']).stderr).toContain('No such file');
});
