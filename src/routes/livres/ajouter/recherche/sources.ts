import type { NomSource } from '#shared/recherche';
import { m } from '$lib/paraglide/messages';

/** A source's name inside a sentence. */
export const nomDeSource: Readonly<Record<NomSource, () => string>> = {
  bnf: m.source_bnf,
  openlibrary: m.source_openlibrary,
};

const SILENCES: Readonly<Record<NomSource, () => string>> = {
  bnf: m.source_muette_bnf,
  openlibrary: m.source_muette_openlibrary,
};

/** Which sources did not answer, in a sentence; empty where all did. */
export function silenceDe(muettes: readonly NomSource[]): string {
  const [premiere, seconde] = muettes;
  if (premiere === undefined) return '';
  return seconde === undefined ? SILENCES[premiere]() : m.sources_muettes();
}
