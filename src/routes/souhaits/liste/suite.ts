/** What was just done with a wish, and what can be done about it. */
export interface Suite {
  readonly texte: string;
  /** Takes it back. */
  readonly annuler?: () => Promise<unknown>;
  /** Where it went. */
  readonly href?: string;
}
