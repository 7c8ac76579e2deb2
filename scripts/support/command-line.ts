import { m } from '#messages';
import { parseArgs } from 'node:util';
import type { Locale } from '#shared/locale';
import { objectKeys } from '#shared/object-keys';

interface Option extends Readonly<Record<Locale, string>> {
  readonly takesValue: boolean;
}

/** The options of the household's commands by name; every language is understood. */
const OPTIONS = {
  help: { fr: 'aide', en: 'help', takesValue: false },
  dryRun: { fr: 'essai', en: 'dry-run', takesValue: false },
  intended: { fr: 'voulu', en: 'intended', takesValue: false },
  toRead: { fr: 'a-lire', en: 'to-read', takesValue: true },
  columns: { fr: 'colonnes', en: 'columns', takesValue: true },
  encoding: { fr: 'encodage', en: 'encoding', takesValue: true },
  themes: { fr: 'themes', en: 'themes', takesValue: false },
  user: { fr: 'utilisateur', en: 'user', takesValue: true },
  key: { fr: 'cle', en: 'key', takesValue: true },
  cookie: { fr: 'cookie', en: 'cookie', takesValue: true },
  authority: { fr: 'ca', en: 'ca', takesValue: true },
} satisfies Record<string, Option>;

export type OptionKey = keyof typeof OPTIONS;

export interface Help {
  /** The command with its arguments. */
  readonly usage: () => string;
  /** The help line of each option. */
  readonly options: Readonly<Partial<Record<OptionKey, () => string>>>;
}

export interface CommandLine {
  readonly positionals: readonly string[];
  readonly has: (option: OptionKey) => boolean;
  /** The value of an option; `null` where the option is not given. */
  readonly value: (option: OptionKey) => string | null;
}

/** The names of each option in all languages. */
export const OPTION_NAMES: readonly Readonly<Record<Locale, string>>[] = Object.values(OPTIONS);

export const nameOf = (option: OptionKey, locale: Locale): string => OPTIONS[option][locale];

export const textOf = ({ usage, options }: Help): string =>
  [usage(), ...Object.values(options).map((line) => `  ${line()}`)].join('\n');

/** An error about a command line, followed by the command's help. */
export const wrongUsage = (help: Help, ...sentences: readonly string[]): Error =>
  new Error([...sentences, textOf(help)].join('\n'));

/**
 * Parses the command line, as `import livres.csv --dry-run --user=camille`. Prints the help and exits if asked to.
 *
 * @throws Error for an unknown or repeated option, a missing value or an unexpected one
 */
export function readCommandLine(help: Help): CommandLine {
  const known = new Map(
    [...new Set<OptionKey>(['help', ...objectKeys(help.options)])].flatMap((option) => [
      [OPTIONS[option].fr, option] as const,
      [OPTIONS[option].en, option] as const,
    ]),
  );
  const options = Object.fromEntries(
    Array.from(known, ([name, option]) => [
      name,
      { type: OPTIONS[option].takesValue ? 'string' : 'boolean' } as const,
    ]),
  );
  const { tokens, positionals } = parseArgs({
    options: { ...options, help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const given = new Map<OptionKey, string>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName, value = '', inlineValue = false } = token;
    const option = known.get(name);
    const wrong = (sentence: string) => wrongUsage(help, sentence);
    if (option === undefined) throw wrong(m.operator_option_unknown({ option: rawName }));
    if (given.has(option)) throw wrong(m.operator_option_twice({ option: rawName }));
    const isMissing = value === '' || (!inlineValue && value.startsWith('-'));
    if (OPTIONS[option].takesValue ? isMissing : inlineValue)
      throw wrong(
        OPTIONS[option].takesValue
          ? m.operator_option_without_value({ option: rawName })
          : m.operator_option_with_value({ option: rawName }),
      );
    given.set(option, value);
  }
  if (given.has('help')) {
    console.log(textOf(help));
    process.exit(0);
  }
  return {
    positionals,
    has: (option) => given.has(option),
    value: (option) => given.get(option) ?? null,
  };
}
