import { m } from '#messages';

/** Error codes of a full disk. SQLite writes IOERR for a quota, or a bound of a file's size. */
export const FULL =
  /^(?:ENOSPC|EDQUOT|EFBIG|SQLITE_FULL|SQLITE_IOERR_(?:WRITE|TRUNCATE|SHMSIZE|SHMMAP))$/;

export const codeOf = (error: unknown): string =>
  error instanceof Error ? String(Reflect.get(error, 'code')) : '';

/** A sentence for the operator about a path or a disk that failed; `null` for any other error. */
export function describeSystemError(error: unknown): string | null {
  const code = codeOf(error);
  const failed: unknown = Reflect.get(Object(error), 'path');
  const path = typeof failed === 'string' ? failed : null;
  if (FULL.test(code))
    return path === null ? m.operator_system_full() : m.operator_system_full_at({ path });
  if (code.startsWith('SQLITE_')) return m.operator_system_database();
  if (path === null || !/^E[A-Z0-9]+$/.test(code)) return null;
  if (code === 'EACCES' || code === 'EPERM') return m.operator_system_no_right({ path });
  if (code === 'EROFS') return m.operator_system_read_only({ path });
  const syscall = String(Reflect.get(Object(error), 'syscall'));
  if (/^mkd/.test(syscall)) return m.operator_database_no_folder({ folder: path });
  if (code === 'ENOTDIR' && /^(?:opendir|scandir)$/.test(syscall))
    return m.operator_system_no_folder({ path });
  if (code === 'EISDIR') return m.operator_system_folder({ path });
  if (code === 'ENOENT' || code === 'ENOTDIR') return m.reason_backup_no_file({ path });
  return m.operator_system_unusable({ path });
}
