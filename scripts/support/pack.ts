import { execFileSync } from 'node:child_process';
import { basename, dirname } from 'node:path';

/**
 * Packs a folder as `<folder>.tar.xz`, byte-identical whatever the order, times, owners and permissions of its files.
 * Uses one thread, since the boundaries of several would be part of the file.
 *
 * @param date of all files
 * @returns its path
 */
export function pack(folder: string, date: Date): string {
  const file = `${folder}.tar.xz`;
  const seconds = Math.floor(date.getTime() / 1000);
  execFileSync(
    'tar',
    [
      '--create',
      '--file',
      file,
      '--use-compress-program',
      'xz -6 -T1',
      '--format=gnu',
      '--sort=name',
      `--mtime=@${seconds}`,
      '--mode=a+rX,u+w,go-w',
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      '-C',
      dirname(folder),
      basename(folder),
    ],
    { env: { ...process.env, LC_ALL: 'C', TAR_OPTIONS: '', XZ_DEFAULTS: '', XZ_OPT: '' } },
  );
  return file;
}
