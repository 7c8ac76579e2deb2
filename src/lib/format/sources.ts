import type { SourceName } from '#shared/recherche';
import { m } from '$lib/paraglide/messages';
import { intlLocale } from './locale.ts';

/** A source's name inside a sentence. */
export const sourceLabels: Readonly<Record<SourceName, () => string>> = {
  bnf: m.source_bnf,
  openlibrary: m.source_openlibrary,
};

/** A source's name alone. */
export const sourceNames: Readonly<Record<SourceName, () => string>> = {
  bnf: m.source_bnf_name,
  openlibrary: m.source_openlibrary,
};

const list = new Intl.ListFormat(intlLocale, { type: 'conjunction' });

export const sourcesText = (sources: readonly SourceName[]): string =>
  list.format(sources.map((source) => sourceLabels[source]()));

const SILENCE_SENTENCES: Readonly<Record<SourceName, () => string>> = {
  bnf: m.source_silent_bnf,
  openlibrary: m.source_silent_openlibrary,
};

/** A sentence about the sources that did not respond; empty without any. */
export function silenceSentence(silentSources: readonly SourceName[]): string {
  const [first, second] = silentSources;
  if (first === undefined) return '';
  return second === undefined ? SILENCE_SENTENCES[first]() : m.sources_silent();
}
