/** A part of a text; `address` for a web address. */
interface TextPart {
  readonly text: string;
  readonly address: string | null;
}

/** Trailing punctuation is not part of an address. */
const ADDRESS = /https?:\/\/[^\s<>"«»]+[^\s<>"«».,;:!?)\]}’']/giu;

/** Cuts a text at the addresses (`http`, `https`) in it; nothing else is a link. */
export function splitAddresses(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: address, index } of text.matchAll(ADDRESS)) {
    if (index > end) parts.push({ text: text.slice(end, index), address: null });
    parts.push({ text: address, address: URL.canParse(address) ? address : null });
    end = index + address.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), address: null });
  return parts;
}
