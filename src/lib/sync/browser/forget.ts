import { base } from '../../format/address.ts';
import type { Reader } from '../status.ts';

/**
 * Deletes what this device keeps for a reader: the copy, once it is closed, and what is noted beside it, drafts,
 * scans and aims included. What the readers of the device share, as thumbnails, stays.
 *
 * @param database the name of the copy's database; `null` where none was open
 */
export async function forgetReader(reader: Reader, database: string | null): Promise<void> {
  const named = encodeURIComponent(reader ?? '');
  const ours = `rayonnage.${base && `${base}|`}`;
  const kept = [
    `${ours}equal.${reader ?? ''}`,
    `${ours}first|${encodeURIComponent(base)}|${named}`,
  ];
  const begins = [
    `rayonnage.draft${base}|${named}|`,
    `rayonnage.scan${base}|${named}|`,
    `${ours}aim|${named}|`,
  ];
  for (const key of Object.keys(localStorage))
    if (kept.includes(key) || begins.some((prefix) => key.startsWith(prefix)))
      localStorage.removeItem(key);
  if (database === null) return;
  for (const { name = '' } of await indexedDB.databases())
    if (name.startsWith(`rxdb-dexie-${database}--`)) await deleted(name);
}

/** Another tab that has it open closes it when it is asked to. */
const deleted = (name: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.addEventListener('success', () => resolve());
    request.addEventListener('blocked', () => resolve());
    request.addEventListener('error', () => reject(request.error ?? new Error(name)));
  });
