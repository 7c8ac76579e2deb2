import type { Version } from '#shared/version';
import { connection } from '../sync/connection.svelte.ts';
import { answers } from '../sync/answers.svelte.ts';

const latest = () => answers.get('version');

/** The server's version report (docs/rules.md § 32), kept for reading offline; reactive. */
export const serverVersion = {
  get version(): Version | null {
    return latest()?.value ?? null;
  },
  get seenAt(): Date | null {
    return latest()?.date ?? null;
  },
  /** True while the server cannot be asked: the report may be outdated. */
  get isStale(): boolean {
    return connection.state !== 'online';
  },
};
