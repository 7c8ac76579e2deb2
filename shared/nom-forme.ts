import { normaliser } from './text.ts';

interface Mot {
  /** The normalised word. */
  readonly texte: string;
  /** True where the word is only the first letter of a given name. */
  readonly initiale: boolean;
}

/** A name in reading order: given names, then the family name, whatever side of a comma they had. */
export interface Forme {
  readonly mots: readonly Mot[];
  /** How many words at the end are the family name: told by a comma, else the last one. */
  readonly famille: number;
}

/** Reads « Saint-Exupéry, Antoine de » as « Antoine de Saint-Exupéry ». */
export function lireForme(nom: string): Forme {
  const parties = nom.normalize('NFC').split(/[,，]/u);
  const [debut = [], prenoms = [], ...suite] = parties
    .filter((partie) => normaliser(partie) !== '')
    .map((partie) => lireMots(partie.trim(), casseUnie(nom)));
  const famille = [...debut, ...suite.flat()];
  const mots = [...prenoms, ...famille];
  if (mots.every(({ initiale }) => initiale)) return { mots, famille: mots.length };
  return { mots, famille: prenoms.length === 0 ? Math.min(1, mots.length) : famille.length };
}

/** Tells whether a form has a given name of which it says only the initial. */
export const aInitiale = ({ mots, famille }: Forme): boolean =>
  mots.some(({ initiale }, rang) => initiale && rang < mots.length - famille);

/**
 * Tells whether a form is a shorter one of another: at least one given name is only its initial,
 * and all else agrees in order (contract.md « Initials rule »). Transitive, and never both ways.
 */
export function abrege(courte: Forme, longue: Forme): boolean {
  const nombre = courte.mots.length;
  if (nombre !== longue.mots.length) return false;
  const prenoms = nombre - Math.max(courte.famille, longue.famille);
  let abregee = false;
  for (const [rang, { texte, initiale }] of courte.mots.entries()) {
    const autre = longue.mots[rang];
    if (autre === undefined) return false;
    if (autre.texte === texte) continue;
    if (rang >= prenoms || !initiale || !autre.texte.startsWith(texte)) return false;
    abregee = true;
  }
  return abregee;
}

/** What a form and all that it abbreviates have in common, so that few need be compared. */
export function signature({ mots }: Forme): string {
  const debuts = mots.map(({ texte }) => String.fromCodePoint(texte.codePointAt(0) ?? 0));
  return [...debuts, mots.at(-1)?.texte ?? ''].join(' ');
}

const MOT = /[\p{L}\p{M}\p{N}]+/gu;
const LETTRE_SEULE = /^\p{L}\p{M}*$/u;
const APOSTROPHE = /['’‘ʼ`´]/u;
/** Words of one letter that join two others: « Ortega y Gasset », « Puig i Cadafalch ». */
const LIAISON = /^[deily]$/u;

function lireMots(partie: string, unie: boolean): Mot[] {
  return [...partie.matchAll(MOT)].flatMap(({ 0: mot, index }) => {
    const avant = partie[index - 1] ?? '';
    const apres = partie[index + mot.length] ?? '';
    const initiale =
      LETTRE_SEULE.test(mot) &&
      !APOSTROPHE.test(avant) &&
      !APOSTROPHE.test(apres) &&
      (apres === '.' || vautInitiale(mot, unie, index));
    const textes = normaliser(mot).split(' ');
    return textes.map((texte) => ({ texte, initiale: initiale && textes.length === 1 }));
  });
}

/**
 * Without its point a letter is an initial when it is a capital among small letters; where the
 * whole name has one case, when it cannot be a word that joins. A script without case has whole
 * names of one sign.
 */
function vautInitiale(lettre: string, unie: boolean, index: number): boolean {
  if (lettre.toLowerCase() === lettre.toUpperCase()) return false;
  if (!unie) return lettre === lettre.toUpperCase();
  return index === 0 || !LIAISON.test(lettre.toLowerCase());
}

const casseUnie = (nom: string) => nom === nom.toUpperCase() || nom === nom.toLowerCase();
