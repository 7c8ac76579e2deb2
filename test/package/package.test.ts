// @module-tag process
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Type } from 'typebox';
import { Parse } from 'typebox/value';
import { expect, onTestFinished, test } from 'vitest';
import { stage } from '../../scripts/support/stage.ts';
import { temporaryFolder } from '../support/database.ts';
import { smoke } from './smoke.ts';

const BUILD = { version: '1.0.0+28cf73b', date: '2026-11-20T08:00:00.000Z' };

/** An environment without variables of the checkout or this process. */
const bare = (settings: Record<string, string>) => ({
  PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
  ...settings,
});

/** The unpacked archive, outside of the checkout: `ARCHIVE`, or one of this build. */
function unpacked(): string {
  const archive = process.env['ARCHIVE'];
  if (archive !== undefined) return archive;
  const folder = temporaryFolder();
  stage(folder, process.arch === 'arm64' ? 'arm64' : 'x64', BUILD);
  return folder;
}

async function start(folder: string, settings: Record<string, string>): Promise<string> {
  const service = spawn(join(folder, 'rayonnage'), {
    cwd: temporaryFolder(),
    env: bare({ PORT: '0', ...settings }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void service.kill('SIGKILL'));
  const [output] = (await once(service.stdout, 'data')) as [Buffer];
  return /http:\S+/.exec(output.toString())?.[0] ?? output.toString();
}

test.runIf(process.platform === 'linux')(
  'the archive holds all that its service and commands need',
  async () => {
    const folder = unpacked();
    const settings = { DATABASE_PATH: join(temporaryFolder(), 'maison.sqlite') };
    const command = (line: string[], more: Record<string, string> = {}) =>
      promisify(execFile)(join(folder, 'rayonnage'), line, { env: bare({ ...settings, ...more }) });
    const url = await start(folder, settings);
    await smoke(url);

    await command(['health'], { PORT: new URL(url).port });
    expect((await command(['serve', '--help'])).stdout).toMatch(/^rayonnage \[serve \|/);
    await expect(command(['health'], { PORT: '1' })).rejects.toThrow(
      /Rien ne répond à 127\.0\.0\.1:1 /,
    );
    const examined = await command(['doctor', url]);
    expect(examined.stdout).toMatch(/sur cette machine seule[^]*\nRien à corriger\.\n$/);
    const backups = temporaryFolder();
    const { stdout } = await command(['backup', backups]);
    expect(stdout).toMatch(/1 livre.*1 couverture/);
    expect(readdirSync(backups)).toEqual([expect.stringMatching(/^rayonnage-.*\.zip$/)]);
  },
);

const Licences = Type.Array(Type.Object({ license: Type.Object({ id: Type.String() }) }));
const Component = Type.Object({
  name: Type.String(),
  version: Type.String(),
  licenses: Type.Optional(Licences),
  properties: Type.Optional(Type.Array(Type.Object({ value: Type.String() }))),
});
const Bill = Type.Object({
  metadata: Type.Object({ component: Component }),
  components: Type.Array(Component),
});

test('the archive lists its parts, and holds all their licences', () => {
  const folder = unpacked();
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const { metadata, components } = Parse(Bill, JSON.parse(read('sbom.json')));
  expect(metadata.component).toMatchObject({
    name: 'rayonnage',
    licenses: [{ license: { id: 'AGPL-3.0-or-later' } }],
  });
  expect(JSON.parse(read('package.json'))).toMatchObject({ version: metadata.component.version });

  const parts = new Map(
    components.map(({ name, properties = [] }) => [name, properties.map(({ value }) => value)]),
  );
  expect(parts.get('rxdb')).toEqual(['client']);
  expect(parts.get('@fontsource-variable/literata')).toEqual(['client']);
  expect(parts.get('typebox')).toEqual(['client', 'server']);
  expect(parts.get('fastify')).toEqual(['server']);
  for (const tool of ['vitest', 'playwright', 'glob', 'readable-stream'])
    expect(parts.has(tool), tool).toBe(false);
  const beside = globSync('{*,@*/*}/package.json', { cwd: join(folder, 'node_modules') });
  expect(components.filter(({ name }) => parts.get(name)?.includes('node_modules'))).toHaveLength(
    beside.length,
  );

  const licences = read('THIRD-PARTY-LICENCES.txt');
  for (const { name, version, licenses } of components)
    expect(licences).toContain(`${name} ${version} (${licenses?.[0]?.license.id ?? ''})`);
  for (const text of ['SIL OPEN FONT LICENSE', 'GNU LESSER GENERAL PUBLIC LICENSE', 'vips 8.'])
    expect(licences).toContain(text);
});

test('every guide that the archive names is in it', () => {
  const folder = unpacked();
  const has = (from: string, path: string) => existsSync(join(folder, dirname(from), path));
  const links = globSync('{README.md,docs/**/*.md}', { cwd: folder }).flatMap((guide) =>
    Array.from(
      readFileSync(join(folder, guide), 'utf8').matchAll(/\]\((?!\w+:|#)([^)\s#]+)/g),
      ([, target = '']) => ({ guide, target }),
    ),
  );
  expect(links).not.toEqual([]);
  expect(links.filter(({ guide, target }) => !has(guide, target))).toEqual([]);
  const named = globSync(['rayonnage*', 'deploy/**/*'], { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) =>
      [
        ...readFileSync(join(entry.parentPath, entry.name), 'utf8').matchAll(/docs\/[\w/]+\.md/g),
      ].map(String),
    );
  expect(named).toContain('docs/running/systemd.md');
  expect(named.filter((path) => !has('README.md', path))).toEqual([]);
});
