declare global {
  /** Who to write to and where the source is, fixed when the application is built. */
  const __APPLICATION__: {
    readonly contact: string | null;
    readonly site: string | null;
    readonly source: string | null;
  };
}

export {};
