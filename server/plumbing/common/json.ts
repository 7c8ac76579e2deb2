/** Parses an untrusted text; `undefined` if it is no JSON. */
export function parseForeign(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
