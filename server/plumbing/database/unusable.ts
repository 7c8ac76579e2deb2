/**
 * A database that the service will not open. The message is one line for whoever starts the
 * service; the file is as it was.
 */
export class UnusableDatabase extends Error {
  /** The setting that is wrong. */
  readonly setting: 'DATABASE_PATH' | 'TMPDIR' = 'DATABASE_PATH';

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'UnusableDatabase';
  }
}

/** A household's database that is damaged: the service stands still until it is mended or replaced. */
export class DamagedDatabase extends UnusableDatabase {}

/** SQLite has no folder for what it writes beside a database while it works. */
export class NoTemporaryFolder extends UnusableDatabase {
  override readonly setting = 'TMPDIR';
}
