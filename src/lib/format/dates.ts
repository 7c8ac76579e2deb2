/** Dates in words, in the reader's own time zone. */

const LANGUE = 'fr';

const enJours = new Intl.RelativeTimeFormat(LANGUE, { numeric: 'auto' });
/** Thirteen days ago is not « la semaine dernière »: longer times are counted. */
const enNombres = new Intl.RelativeTimeFormat(LANGUE);
const avecAnnee = new Intl.DateTimeFormat(LANGUE, {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});
const sansAnnee = new Intl.DateTimeFormat(LANGUE, { day: 'numeric', month: 'long' });

/** « il y a 3 semaines », « hier », « aujourd’hui »: by calendar days, in the largest whole unit. */
export function ilYA(date: Date, maintenant: Date): string {
  const jours = Math.max(0, joursEntre(date, maintenant));
  if (jours < 7) return typographie(enJours.format(-jours, 'day'));
  if (jours < 31) return enNombres.format(-Math.floor(jours / 7), 'week');
  const mois = moisEntre(date, maintenant);
  if (mois < 12) return enNombres.format(-Math.max(1, mois), 'month');
  return enNombres.format(-Math.floor(mois / 12), 'year');
}

/** « 3 mars 2026 », « 1er mars 2026 ». */
export const jour = (date: Date): string => premier(date, avecAnnee.format(date));

/** « 3 mars », with its year where it is not this one: for a date that is said often. */
export const jourBref = (date: Date, maintenant: Date): string =>
  date.getFullYear() === maintenant.getFullYear() ? jourSansAnnee(date) : jour(date);

/** The two ends of « du 3 mars au 28 avril 2026 »: a year that both share is said once. */
export function periode(debut: Date, fin: Date): { debut: string; fin: string } {
  const memeAnnee = debut.getFullYear() === fin.getFullYear();
  return { debut: memeAnnee ? jourSansAnnee(debut) : jour(debut), fin: jour(fin) };
}

/** When something happened, as its day stands to today: the hour alone, « hier », or the date. */
export type Moment =
  | { quand: 'aujourdhui'; heure: string }
  | { quand: 'hier'; heure: string }
  | { quand: 'date'; heure: string; jour: string };

export function moment(date: Date, maintenant: Date): Moment {
  const heure = `${date.getHours()} h ${String(date.getMinutes()).padStart(2, '0')}`;
  const jours = joursEntre(date, maintenant);
  if (jours <= 0) return { quand: 'aujourdhui', heure };
  if (jours === 1) return { quand: 'hier', heure };
  return { quand: 'date', heure, jour: jourBref(date, maintenant) };
}

const jourSansAnnee = (date: Date): string => premier(date, sansAnnee.format(date));

/** French counts the first of a month by an ordinal, which Intl leaves out in some versions. */
const premier = (date: Date, texte: string): string =>
  date.getDate() === 1 ? texte.replace(/^1(?=\s)/, '1er') : texte;

const typographie = (texte: string): string => texte.replaceAll("'", '’');

/** Whole calendar days; the noon of each day, as some days have 23 or 25 hours. */
function joursEntre(debut: Date, fin: Date): number {
  const midi = (date: Date) => new Date(date).setHours(12, 0, 0, 0);
  return Math.round((midi(fin) - midi(debut)) / 86_400_000);
}

function moisEntre(debut: Date, fin: Date): number {
  const mois = (fin.getFullYear() - debut.getFullYear()) * 12 + fin.getMonth() - debut.getMonth();
  return fin.getDate() < debut.getDate() ? mois - 1 : mois;
}
