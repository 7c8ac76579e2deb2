import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const PACKAGE = 'deploy/yunohost';
const read = (path: string) => readFileSync(`${PACKAGE}/${path}`, 'utf8');

test('the package for YunoHost is a repository of its own: its licence, its pictures, and who keeps it', () => {
  expect(read('LICENSE')).toBe(readFileSync('LICENSE', 'utf8'));
  const pictures = globSync('*', { cwd: `${PACKAGE}/doc/screenshots` });
  expect(pictures.length).toBeGreaterThan(0);
  for (const picture of pictures)
    expect([picture, readFileSync(`${PACKAGE}/doc/screenshots/${picture}`)]).toEqual([
      picture,
      readFileSync(`static/screenshots/${picture}`),
    ]);
  expect(read('manifest.toml')).toMatch(/^maintainers = \["\w+/m);
});

test('what YunoHost looks for among the archives of a release are those that a release makes', () => {
  const manifest = read('manifest.toml');
  for (const [arch, name] of [
    ['amd64', 'rayonnage-1.2.3-linux-x64.tar.xz'],
    ['arm64', 'rayonnage-1.2.3-linux-arm64.tar.xz'],
  ] as const) {
    const [, pattern = ''] =
      new RegExp(`autoupdate\\.asset\\.${arch} = "(.+)"`).exec(manifest) ?? [];
    expect(name).toMatch(new RegExp(JSON.parse(`"${pattern}"`) as string));
  }
});
