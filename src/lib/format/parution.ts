import { normaliser } from '#shared/text';

const LANGUE = 'fr';
const MOIS = Array.from({ length: 12 }, (_, mois) =>
  new Intl.DateTimeFormat(LANGUE, { month: 'long', timeZone: 'UTC' }).format(
    new Date(Date.UTC(2000, mois)),
  ),
);

/** « 20 novembre 2026 », « novembre 2026 » or « 2026 »: a date of ISO 8601 in words. */
export function parution(date: string): string {
  const [annee = '', mois, jour] = date.split('-');
  const nom = mois === undefined ? undefined : MOIS[Number(mois) - 1];
  if (nom === undefined) return annee;
  if (jour === undefined) return `${nom} ${annee}`;
  return `${jour === '01' ? '1er' : Number(jour)} ${nom} ${annee}`;
}

/**
 * The date of ISO 8601 that a text says: in words as above, in figures (`20/11/2026`, `11.2026`),
 * or in ISO itself; `null` when it says nothing, `undefined` for what is no date. Whether the day
 * exists is the server's to say.
 */
export function lireParution(texte: string): string | null | undefined {
  if (texte.trim() === '') return null;
  const mots = normaliser(texte).split(' ');
  const iso = /^\s*\d{4}-/.test(texte);
  const [annee, mois, jour] = iso ? mots : mots.reverse();
  if (mots.length > 3 || annee === undefined || !/^\d{4}$/.test(annee)) return undefined;
  const lus = [mois, jour].map((mot, rang) => enChiffres(mot, rang === 0));
  if (lus.includes(undefined)) return undefined;
  return [annee, ...lus.filter((mot) => mot !== '')].join('-');
}

/** Two figures of a month or a day; empty where there is none, `undefined` for another word. */
function enChiffres(mot: string | undefined, estMois: boolean): string | undefined {
  if (mot === undefined) return '';
  const rang = estMois ? MOIS.findIndex((nom) => commence(normaliser(nom), mot)) + 1 : 0;
  const chiffres = rang > 0 ? String(rang) : mot.replace(/^1er$/, '1');
  return /^\d{1,2}$/.test(chiffres) ? chiffres.padStart(2, '0') : undefined;
}

/** « nov » is November, « ju » neither June nor July. */
const commence = (nom: string, mot: string) =>
  nom === mot || (mot.length >= 3 && nom.startsWith(mot) && mot !== 'jui');
