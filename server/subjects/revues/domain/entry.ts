import { numeroDateKey } from '#shared/numero-date';
import { NumeroSaisi } from '#shared/numeros';
import { champRefusal } from '#shared/refusals';
import { enteredCoverUrl, enteredFields } from '#server/plumbing/common/entry';
import { numeroKeys, type NumeroFields } from '../store/numeros.ts';

/** A valid entry: the columns of the issue, and its lists in order. */
export interface NumeroEntry {
  readonly numero: NumeroFields;
  readonly themes: readonly string[];
  readonly articles: readonly string[];
}

/**
 * Reads what a person entered of an issue; blank themes and articles are dropped. Throws the
 * refusal of what breaks a rule (docs/rules.md § 20, 21).
 */
export function readEntry(saisie: NumeroSaisi): NumeroEntry {
  const { themes, articles, ...fields } = enteredFields(NumeroSaisi, saisie);
  articles?.forEach(requireTitre);
  return {
    numero: {
      ...fields,
      ...numeroKeys(fields),
      date: enteredDate(fields.date),
      coverUrl: enteredCoverUrl(fields.coverUrl),
    },
    themes: (themes ?? []).filter((theme) => theme !== ''),
    articles: (articles ?? []).filter((titre) => titre !== ''),
  };
}

/** Refuses a title of semicolons alone, which separate the titles where these are typed. */
function requireTitre(titre: string, index: number): void {
  if (titre !== '' && /^[;\s]+$/.test(titre))
    throw champRefusal(`articles.${index}`, 'ne contient aucun titre');
}

/** A day, a month or a year of ISO 8601, or a date as printed in French, kept as it was typed. */
function enteredDate(text: string | null): string | null {
  if (text !== null && numeroDateKey(text) === null)
    throw champRefusal(
      'date',
      'doit être une date comme 2026-11-20, 2026-11, juillet-août 2026 ou printemps 2026',
    );
  return text;
}
