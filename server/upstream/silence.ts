/**
 * A source that could not be asked, or whose answer cannot be read: never an empty list, so that
 * silence is not taken for absence (contract.md « Candidat »).
 */
export class SourceInjoignable extends Error {
  constructor(raison: string, cause?: unknown) {
    super(raison, { cause });
    this.name = 'SourceInjoignable';
  }
}
