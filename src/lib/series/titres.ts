/** A volume as a line of a pasted list tells it. */
export interface TitreLu {
  readonly numero: string;
  /** Empty where the line only says a number. */
  readonly titre: string;
  readonly auteur: string;
}

/** The words of a volume's number; those that begin titles, too (« Vol 714 pour Sydney »), apart. */
const TOME = '(?:tome|volume|vol\\.|t\\.|t(?=\\d)|n[°º]\\.?|#)';
const PEUT_ETRE_TOME = '(?:vol|livre|n)';
const NOMBRE = '(\\d{1,4}(?:\\s?(?:bis|ter))?|[IVXLC]+)';
const FIN = '$|\\s*[.:;,)–—-]\\s*';

/** A dash, a dot or the like that a list puts before its lines, numbers apart. */
const PUCE = /^[-–—•*·]\s+/u;

/** « Tome 2 : … », « T2. … », « Vol. 3 – … », « n° 4 … », or the number alone. */
const AVEC_MOT = new RegExp(`^${TOME}\\s*${NOMBRE}(?:${FIN}|\\s+)(.*)$`, 'iu');
const AVEC_MOT_DOUTEUX = new RegExp(`^${PEUT_ETRE_TOME}\\s*${NOMBRE}(?:${FIN})(.*)$`, 'iu');

/**
 * « 1. … », « 1) … », « 1 : … », « 1 – … », « 1⇥… », or the number alone: of three digits at most,
 * since « 1984 » and « 2001 : l’odyssée de l’espace » are titles.
 */
const AVEC_NOMBRE = /^(\d{1,3}(?:\s?(?:bis|ter))?)(?:$|[.)]\s+|\s*[:–—-]\s+|\t+)(.*)$/iu;

/** « …, tome 3 », « … (T. 3) », « … – Tome III »: the title keeps it, as a bookshop needs it. */
const A_LA_FIN = new RegExp(`[\\s,(:–—-]${TOME}\\s*${NOMBRE}\\)?$`, 'iu');

/**
 * The volumes of a pasted list, one a line: numbers are read where they stand apart from the
 * title, and an author behind « / ». Blank lines are none.
 */
export const lireTitres = (texte: string): TitreLu[] =>
  texte
    .split(/\r\n|[\n\r\u2028\u2029]/u)
    .map((ligne) => ligne.trim().replace(PUCE, ''))
    .filter((ligne) => ligne !== '')
    .map(lireLigne);

function lireLigne(ligne: string): TitreLu {
  const coupe = ligne.lastIndexOf(' / ');
  const auteur = coupe < 0 ? '' : ligne.slice(coupe + 3).trim();
  const reste = auteur === '' ? ligne : ligne.slice(0, coupe).trim();
  const [, numero, titre = ''] =
    AVEC_MOT.exec(reste) ?? AVEC_MOT_DOUTEUX.exec(reste) ?? AVEC_NOMBRE.exec(reste) ?? [];
  if (numero !== undefined) return { numero, titre: titre.trim(), auteur };
  return { numero: A_LA_FIN.exec(reste)?.[1] ?? '', titre: reste, auteur };
}

/** The number after this one, where it ends in digits; else nothing. */
export function numeroSuivant(numero: string): string {
  const chiffres = /\d+$/.exec(numero.trim())?.[0];
  if (chiffres === undefined) return '';
  const suivant = String(Number(chiffres) + 1).padStart(chiffres.length, '0');
  return numero.trim().slice(0, -chiffres.length) + suivant;
}
