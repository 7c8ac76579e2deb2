// Replaces `src/lib/paraglide/messages.js` in scenarios (vitest.config.ts).
import { onTestFinished } from 'vitest';
import { BASE_LOCALE, type Locale } from '#shared/locale';
import { m as real } from '../../../src/lib/paraglide/messages.js';
import { getLocale } from '../../../src/lib/paraglide/runtime.js';

type Messages = typeof real;
type Message = (inputs: unknown, options?: { readonly locale?: Locale }) => string;

/** A language of the screens, or the pseudo language, which reveals untranslated texts. */
export type Language = Locale | 'pseudo';

let spoken: Language = BASE_LOCALE;
let pseudo: Readonly<Record<string, Message>> = {};

/** Loads the compiled messages of the pseudo language. */
export function setPseudoMessages(messages: Readonly<Record<string, Message>>): void {
  pseudo = messages;
}

const inPseudo = (key: string, locale: Locale): boolean =>
  spoken === 'pseudo' && locale !== BASE_LOCALE && key in pseudo;

const asked = (say: (key: string) => Message): Messages =>
  new Proxy(real, { get: (_, key) => (typeof key === 'string' ? say(key) : undefined) });

/** The service's messages, replaced by the pseudo language's while a test uses it. */
export const m: Messages = asked((key) => (inputs, options) => {
  const locale = options?.locale ?? getLocale();
  const message = inPseudo(key, locale) ? pseudo[key] : (real as Record<string, Message>)[key];
  if (message === undefined) throw new Error(`There is no message ${key}`);
  return message(inputs, { locale });
});

/** The screen's messages in the test's language. */
export const t: Messages = asked(
  (key) => (inputs) =>
    (m as Record<string, Message>)[key]?.(inputs, { locale: spokenLocale() }) ?? '',
);

export const isPseudo = (): boolean => spoken === 'pseudo';

export const spokenLocale = (): Locale => (spoken === 'pseudo' ? 'en' : spoken);

/** Sets the language of the test's households, devices and `t`. */
export function setLanguage(language: Language): void {
  spoken = language;
  onTestFinished(() => {
    spoken = BASE_LOCALE;
  });
}

/** Escapes a text for a pattern in which any blank matches any other. */
const escaped = (text: string): string =>
  text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/\s+/g, String.raw`\s+`);

/** Patterns for names that begin or end with a message. */
export const begins = (...texts: readonly (string | undefined)[]): RegExp =>
  new RegExp(`^(?:${texts.map((text = '') => escaped(text)).join('|')})`);
export const ends = (text: string): RegExp => new RegExp(`${escaped(text)}$`);
