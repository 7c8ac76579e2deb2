/** The location of a label that was read; `null` for any other text. Below any path, whatever the host is called. */
export function locationOfLabel(text: string): number | null {
  const [, id] = /^https?:\/\/[^?#]+\/rangement\/([1-9]\d*)$/.exec(text.trim()) ?? [];
  return id === undefined ? null : Number(id);
}
