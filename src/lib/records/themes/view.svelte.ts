import { compareText, searchForm, textKey, wordMatcher } from '#shared/text';
import { href } from '$lib/format/address';
import { m } from '$lib/paraglide/messages';
import { derivedFromViews, views } from '$lib/sync/views.svelte';
import {
  type FieldDescription,
  joinTokens,
  splitTokens,
  type Tokens,
} from '$lib/ui/form/text-entry.svelte';

/** A theme of the household; all its spellings have one `key`. */
export interface KnownTheme {
  readonly key: string;
  readonly nom: string;
  readonly livres: number;
  readonly numeros: number;
}

const themes = derivedFromViews((): readonly KnownTheme[] => {
  const byKey = new Map<string, { nom: string; livres: number; numeros: number }>();
  const count = (nom: string, of: 'livres' | 'numeros', more: number) => {
    const key = textKey(nom);
    const known = byKey.get(key) ?? { nom, livres: 0, numeros: 0 };
    known[of] += more;
    byKey.set(key, known);
  };
  const { catalogue, numeros } = views();
  for (const [nom, livres] of catalogue.themes) count(nom, 'livres', livres);
  for (const numero of numeros.values()) for (const nom of numero.themes) count(nom, 'numeros', 1);
  return [...byKey]
    .sort(([a], [b]) => compareText(a, b))
    .map(([key, theme]) => ({ key, ...theme }));
});

/** In a path « .. » goes up and « . » stays, but not with a trailing blank. */
export const hrefOfTheme = (nom: string): string =>
  href(`/themes/${encodeURIComponent(/^\.\.?$/.test(nom) ? `${nom} ` : nom)}`);

export const themesView = {
  all: themes,
  get(nom: string): KnownTheme | undefined {
    const key = textKey(nom);
    return themes().find((theme) => theme.key === key);
  },
  /** The typed theme first, then those that begin with it; none for an empty text. */
  search(text: string): readonly KnownTheme[] {
    const typed = searchForm(text);
    if (typed === '') return [];
    const matches = wordMatcher(text);
    const distance = ({ key }: KnownTheme) => (key === typed ? 0 : key.startsWith(typed) ? 1 : 2);
    return themes()
      .filter(({ key }) => matches(key))
      .sort((a, b) => distance(a) - distance(b));
  },
};

const tokens: Tokens<KnownTheme> = {
  autocapitalize: 'none',
  listLabel: m.known_themes,
  keyOf: textKey,
  search: (text) => themesView.search(text),
  detail: ({ livres, numeros }) =>
    [
      livres > 0 && m.count_livres({ count: livres }),
      numeros > 0 && m.count_numeros({ count: numeros }),
    ]
      .filter(Boolean)
      .join(', '),
  activateFirst: true,
};

export const THEMES_FIELD: FieldDescription<
  { readonly themes: readonly string[] },
  { readonly themes?: string[] | null }
> = {
  key: 'themes',
  label: m.field_themes,
  hint: m.themes_hint,
  tokens,
  read: ({ themes }) => joinTokens(themes),
  write: (text) => ({ themes: uniqueThemes(text) }),
  display: (text) => uniqueThemes(text).join(' ; '),
};

/** Removes duplicates, ignoring case and accents. */
function uniqueThemes(text: string): string[] {
  const byKey = new Map<string, string>();
  for (const theme of splitTokens(text))
    if (!byKey.has(textKey(theme))) byKey.set(textKey(theme), theme);
  return [...byKey.values()];
}
