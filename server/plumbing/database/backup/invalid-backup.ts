/** A file that is no backup to be restored; its message is one sentence for whoever asked. */
export class InvalidBackup extends Error {}
