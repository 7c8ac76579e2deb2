// Replaces `src/lib/paraglide/messages.js` in scenarios (vitest.config.ts).
import { onTestFinished } from 'vitest';
import { BASE_LOCALE, type Locale } from '#shared/locale';
import { m as real } from '../../../src/lib/paraglide/messages.js';
import { getLocale } from '../../../src/lib/paraglide/runtime.js';

type Messages = typeof real;
type Message = (inputs: unknown, options?: { readonly locale?: Locale }) => string;

/** A language that scenarios are played in: one of the readers’, or the one that shows what was never translated. */
export type Language = Locale | 'pseudo';

let spoken: Language = BASE_LOCALE;
let pseudo: Readonly<Record<string, Message>> = {};

/** The sentences of the pseudo language, once they are made. */
export function teachPseudo(messages: Readonly<Record<string, Message>>): void {
  pseudo = messages;
}

const inPseudo = (key: string, locale: Locale): boolean =>
  spoken === 'pseudo' && locale !== BASE_LOCALE && key in pseudo;

const asked = (say: (key: string) => Message): Messages =>
  new Proxy(real, { get: (_, key) => (typeof key === 'string' ? say(key) : undefined) });

/** The sentences of the service, in whose place the pseudo language’s stand while it is spoken. */
export const m: Messages = asked((key) => (inputs, options) => {
  const locale = options?.locale ?? getLocale();
  const message = inPseudo(key, locale) ? pseudo[key] : (real as Record<string, Message>)[key];
  if (message === undefined) throw new Error(`There is no message ${key}`);
  return message(inputs, { locale });
});

/** What the screen says in the language that is spoken. */
export const t: Messages = asked(
  (key) => (inputs) =>
    (m as Record<string, Message>)[key]?.(inputs, { locale: spokenLocale() }) ?? '',
);

export const isPseudo = (): boolean => spoken === 'pseudo';

export const spokenLocale = (): Locale => (spoken === 'pseudo' ? 'en' : spoken);

/** Has what a test plays from here be in a language: its households, its devices and `t`. */
export function speak(language: Language): void {
  spoken = language;
  onTestFinished(() => {
    spoken = BASE_LOCALE;
  });
}

/** As a pattern of names, in which blanks of any kind are alike. */
const escaped = (text: string): string =>
  text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/\s+/g, String.raw`\s+`);

/** Names that begin, and that end, with what the screen says. */
export const begins = (...texts: readonly (string | undefined)[]): RegExp =>
  new RegExp(`^(?:${texts.map((text = '') => escaped(text)).join('|')})`);
export const ends = (text: string): RegExp => new RegExp(`${escaped(text)}$`);
