import type { Version } from '#shared/version';

/** The server's version report, the last one seen when the server is out of reach; reactive. */
export const versionServeur = {
  get version(): Version | null {
    return null;
  },
  /** When the server gave it. */
  get vueLe(): Date | null {
    return null;
  },
  /** True when it is not the server's answer of this visit. */
  get horsLigne(): boolean {
    return true;
  },
};
