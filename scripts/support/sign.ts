import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';

/**
 * Signs a file with a key of minisign or ssh, whose program asks for the key's password.
 *
 * @param key the path of the secret key; for ssh also of a public key whose secret is in an agent
 * @returns the path of the signature, beside the file
 * @throws Error if the program is missing, or refuses
 */
export function sign(file: string, key: string, comment: string): string {
  const isMinisign = readFileSync(key, 'utf8').startsWith('untrusted comment:');
  const made = `${file}.${isMinisign ? 'minisig' : 'sig'}`;
  rmSync(made, { force: true });
  const [command, line] = isMinisign
    ? ['minisign', ['-S', '-s', key, '-m', file, '-x', made, '-t', comment]]
    : ['ssh-keygen', ['-Y', 'sign', '-n', 'file', '-f', key, file]];
  const { status, error } = spawnSync(command, line, { stdio: 'inherit' });
  if (status !== 0) throw error ?? new Error(`${command} has not signed ${file}.`);
  return made;
}
