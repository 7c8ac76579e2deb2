import { rienSiVide } from '#shared/fields';
import type { NumeroSaisi } from '#shared/numeros';
import { champRefuse } from '#shared/refusals';
import { cleTexte } from '#shared/text';
import { coverUrlSaisie } from '#server/saisie';

/** What an issue's row says of it. */
export interface NumeroEcrit {
  readonly numero: string;
  readonly numeroNormalise: string;
  readonly date: string | null;
  readonly coverUrl: string | null;
  readonly une: string | null;
  readonly resume: string | null;
}

/** An entry that keeps the rules, with its lists in order. */
export interface Saisie {
  readonly numero: NumeroEcrit;
  readonly themes: readonly string[];
  readonly articles: readonly string[];
}

/** Reads what a person entered; blank themes and articles are none (contract.md, Numero). */
export function lireSaisie(saisie: NumeroSaisi): Saisie {
  const articles = saisie.articles ?? [];
  articles.forEach(exigerTitre);
  return {
    numero: {
      numero: saisie.numero,
      numeroNormalise: cleTexte(saisie.numero),
      date: dateSaisie(saisie.date),
      coverUrl: coverUrlSaisie(saisie.coverUrl),
      une: rienSiVide(saisie.une),
      resume: rienSiVide(saisie.resume),
    },
    themes: (saisie.themes ?? []).filter((theme) => theme !== ''),
    articles: articles.filter((titre) => titre !== ''),
  };
}

/** The semicolons that are entered between titles are no title. */
function exigerTitre(titre: string, index: number): void {
  if (titre !== '' && /^[;\s]+$/.test(titre))
    throw champRefuse(`articles.${index}`, 'ne contient aucun titre');
}

/** A day, a month or a year of the calendar, as ISO 8601 writes it. */
function dateSaisie(champ: string | null | undefined): string | null {
  const texte = rienSiVide(champ);
  if (texte === null) return null;
  const [, annee, mois = '01', jour = '01'] = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(texte) ?? [];
  if (annee === undefined || !estUnJour(Number(annee), Number(mois), Number(jour)))
    throw champRefuse(
      'date',
      'doit être un jour, un mois ou une année : 2026-11-20, 2026-11 ou 2026',
    );
  return texte;
}

function estUnJour(annee: number, mois: number, jour: number): boolean {
  // JavaScript takes the years below 100 for those of 1900; the calendar repeats after 400.
  const jours = new Date(Date.UTC(2000 + (annee % 400), mois, 0)).getUTCDate();
  return mois >= 1 && mois <= 12 && jour >= 1 && jour <= jours;
}
