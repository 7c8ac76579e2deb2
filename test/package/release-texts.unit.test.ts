import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { newVersion, newVersionOfPackage } from '../../scripts/support/release-texts.ts';

test('a release moves the unreleased changes under its version', () => {
  const before = '# Changelog\n\n## Unreleased\n\n### Fixed\n\n- A fault.\n\n## 0.9.0\n\n- Old.\n';
  const after = newVersion(before, '1.0.0', '2026-11-20');
  expect(after).toBe(
    '# Changelog\n\n## Unreleased\n\n## 1.0.0 - 2026-11-20\n\n### Fixed\n\n- A fault.\n\n## 0.9.0\n\n- Old.\n',
  );
  expect(() => newVersion(after, '1.0.1', '2026-11-21')).toThrow(/says nothing/);
});

test('YunoHost’s manifest takes the version, archive names and digests', () => {
  const manifest = readFileSync('deploy/yunohost/manifest.toml', 'utf8');
  const archives = ['x64', 'arm64'].map((arch) => ({
    name: `rayonnage-1.2.3-linux-${arch}.tar.xz`,
    digest: `${arch}-digest`,
  }));
  const after = newVersionOfPackage(manifest, '1.2.3', archives);
  expect(after.match(/^.*(?:1\.2\.3|digest").*$/gm)?.map((line) => line.trim())).toEqual([
    'version = "1.2.3~ynh1"',
    'amd64.url = "https://rayonnage.example/archives/rayonnage-1.2.3-linux-x64.tar.xz"',
    'amd64.sha256 = "x64-digest"',
    'arm64.url = "https://rayonnage.example/archives/rayonnage-1.2.3-linux-arm64.tar.xz"',
    'arm64.sha256 = "arm64-digest"',
  ]);
});
