/** The address of a location's page, below any path: the host may have had another name when the label was printed. */
const ADDRESS = /^https?:\/\/[^\s?#]+\/rangement\/([1-9]\d{0,15})$/i;
const BEGINNINGS = ['http://', 'https://'];

export function locationOfLabel(text: string): number | null {
  const id = ADDRESS.exec(text.trim())?.[1];
  return id === undefined ? null : Number(id);
}

/** True where more characters may make a label's address of this text. */
export function mayBecomeLabel(text: string): boolean {
  const lower = text.toLowerCase();
  return BEGINNINGS.some((beginning) =>
    beginning.length > lower.length
      ? beginning.startsWith(lower)
      : lower.startsWith(beginning) && !/[\s?#]/.test(lower),
  );
}
