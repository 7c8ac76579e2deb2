interface Entry {
  setText(key: string, text: string): void;
}

/**
 * Fills fields with what the address gives, such as the code that a scanner has read. What was typed
 * for another code is not resumed over it: the draft's name tells them apart.
 *
 * @returns the name of the draft
 */
export function takeGivenTexts(
  name: string,
  entry: Entry,
  query: URLSearchParams,
  keys: readonly string[],
): string {
  const given = keys.flatMap((key) => {
    const text = query.get(key)?.trim() ?? '';
    if (text !== '') entry.setText(key, text);
    return text === '' ? [] : [text];
  });
  return [name, ...given].join('/');
}
