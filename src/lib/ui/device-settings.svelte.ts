import { notes } from '$lib/sync/this-device';

/** A setting with a few values, stored on this device; reactive. */
export class DeviceSetting<T extends string> {
  readonly values: readonly [T, ...T[]];
  readonly #name: string;
  #chosen = $state.raw<T | undefined>();

  /** The first value is the default. */
  constructor(name: string, values: readonly [T, ...T[]]) {
    this.values = values;
    this.#name = name;
    this.#chosen = this.parse(notes.get(name));
  }

  get value(): T {
    return this.#chosen ?? this.values[0];
  }

  set value(value: T) {
    this.#chosen = value;
    notes.set(this.#name, value);
  }

  /** `undefined` for anything that is no value of this setting. */
  parse(written: unknown): T | undefined {
    return this.values.find((value) => value === written);
  }
}

/** `auto` follows the system. */
export const themeSetting = new DeviceSetting('theme', ['auto', 'clair', 'sombre']);

/** In percent of the browser's text size. */
export const textSizeSetting = new DeviceSetting('taille', ['100', '115', '130']);

export const soundSetting = new DeviceSetting('son', ['oui', 'non']);

/** Single letters and digits as shortcuts: people who speak to the device, or hit keys unawares, switch them off. */
export const keysSetting = new DeviceSetting('touches', ['oui', 'non']);

/** Whether « Chez nous » above the list is unfolded, until somebody folds it. */
export const chezNousSetting = new DeviceSetting('chez-nous', ['oui', 'non']);

const DARK = '(prefers-color-scheme: dark)';
const SCHEMES = { auto: '', clair: 'light', sombre: 'dark' } as const;
const DARK_WHERE = { auto: DARK, clair: 'not all', sombre: 'all' } as const;

/** The style rules of the dark theme, as they were before one of them was changed. */
const darkRules = new WeakMap<CSSStyleSheet, readonly CSSMediaRule[]>();

/** True once this page has had another theme than the system's. */
let isThemed = false;

export function applySettings(): void {
  const { style } = document.documentElement;
  const theme = themeSetting.value;
  style.fontSize = textSizeSetting.value === '100' ? '' : `${textSizeSetting.value}%`;
  style.colorScheme = SCHEMES[theme];
  isThemed ||= theme !== 'auto';
  // Changing a rule makes the browser recompute all styles.
  if (isThemed) applyTheme(theme);
}

function applyTheme(theme: keyof typeof SCHEMES): void {
  for (const sheet of document.styleSheets)
    for (const { media } of darkRulesOf(sheet)) media.mediaText = DARK_WHERE[theme];
  for (const tag of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    tag.dataset['scheme'] ??= tag.media;
    const isDark = tag.dataset['scheme'] === DARK;
    tag.media =
      theme === 'auto'
        ? tag.dataset['scheme']
        : isDark === (theme === 'sombre')
          ? 'all'
          : 'not all';
  }
}

function darkRulesOf(sheet: CSSStyleSheet): readonly CSSMediaRule[] {
  const known = darkRules.get(sheet);
  if (known !== undefined) return known;
  const rules = [...sheet.cssRules].filter(
    (rule): rule is CSSMediaRule => rule instanceof CSSMediaRule && rule.media.mediaText === DARK,
  );
  darkRules.set(sheet, rules);
  return rules;
}
