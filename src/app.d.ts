import type { Version } from '#shared/version';

declare global {
  namespace App {
    /** The state of a browser history entry besides its address. */
    interface PageState {
      /** The name of the list in selection mode. */
      selection?: string;
    }
  }

  /** Defined by vite.config.ts when the application is built. */
  const __APPLICATION__: {
    readonly version: Version;
    readonly contact: string | null;
    readonly site: string | null;
    readonly source: string | null;
  };
}

export {};
