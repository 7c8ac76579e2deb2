let noms: Intl.DisplayNames | null = null;

/** « fre », « fr » as « français »; as it stands where it is no code that is known. */
export function nomOfLangue(text: string): string {
  const code = text.trim();
  if (!/^[a-z]{2,3}(?:-[a-z]{2})?$/i.test(code)) return code;
  noms ??= new Intl.DisplayNames('fr', { type: 'language', fallback: 'none' });
  return noms.of(code) ?? code;
}
