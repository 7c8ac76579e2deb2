import { m } from '$lib/paraglide/messages';
import { joinTokens, splitTokens, type FieldDescription } from '$lib/ui/form/text-entry.svelte';
import { textKey } from '#shared/text';

/** The themes of a book or an issue. */
export const THEMES_FIELD: FieldDescription<
  { readonly themes: readonly string[] },
  { readonly themes?: string[] | null }
> = {
  key: 'themes',
  label: m.field_themes,
  hint: m.themes_hint,
  tokens: true,
  read: ({ themes }) => joinTokens(themes),
  write: (text) => ({ themes: uniqueThemes(text) }),
  display: (text) => uniqueThemes(text).join(' ; '),
};

/** The themes of a field's text, each once whatever its spelling. */
function uniqueThemes(text: string): string[] {
  const byKey = new Map<string, string>();
  for (const theme of splitTokens(text))
    if (!byKey.has(textKey(theme))) byKey.set(textKey(theme), theme);
  return [...byKey.values()];
}
