export interface Archive {
  readonly name: string;
  readonly digest: string;
}

const UNRELEASED = '## Unreleased\n';

/**
 * The changelog with its unreleased section moved under a version and its day; an empty unreleased section remains.
 *
 * @param day as `2026-11-20`
 * @throws Error if nothing is unreleased
 */
export function newVersion(changelog: string, version: string, day: string): string {
  const [, unreleased = ''] = changelog.split(UNRELEASED);
  if (!/^- /m.test(unreleased.split(/^## /m)[0] ?? ''))
    throw new Error('CHANGELOG.md says nothing of this version.');
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n## ${version} - ${day}\n`);
}

/** The manifest of the YunoHost package with a version, and its archives' names and digests. */
export function newVersionOfPackage(
  manifest: string,
  version: string,
  archives: readonly Archive[],
): string {
  return archives.reduce(
    (text, { name, digest }) => {
      const arch = name.includes('-arm64') ? 'arm64' : 'amd64';
      return text
        .replace(new RegExp(`^( *${arch}\\.url = ".*/)[^/"]+"`, 'm'), `$1${name}"`)
        .replace(new RegExp(`^( *${arch}\\.sha256 = )"[^"]+"`, 'm'), `$1"${digest}"`);
    },
    manifest.replace(/^version = ".*~ynh\d+"/m, `version = "${version}~ynh1"`),
  );
}
