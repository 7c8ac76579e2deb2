/** Of a text that others wrote; `undefined` for what is no JSON. */
export function parseForeign(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
