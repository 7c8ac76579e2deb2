import { decodeHTMLStrict } from 'entities';
import { namesOfPath } from '#shared/emplacement-tree';
import { MAX_NIVEAUX } from '#shared/emplacements';
import { MAX_ANNEE, MAX_AUTEURS, MAX_NOMBRE_PAGES } from '#shared/livres';
import { MAX_LENGTHS } from '#shared/fields';
import { STATUTS, type Statut } from '#shared/statuts';
import { nfc, oneLine } from '#shared/text';
import { cleanLectures } from './lectures.ts';
import type { Lecture, RawRow, ReadRow, Row } from './row.ts';
import { readAnnee, readCount, readDate, readIsbns } from './values.ts';

/** What becomes of « to-read »: a status, or a wish. */
export type ALire = 'statut' | 'souhait';

/**
 * A record as the household could enter it. What does not fit a field is left out with a warning;
 * what has neither title nor ISBN is refused (docs/rules.md § 36).
 */
export function cleanRow(raw: RawRow, aLire: ALire): ReadRow {
  const avertissements = [...(raw.avertissements ?? [])];
  const warn = (sentence: string): null => {
    avertissements.push(sentence);
    return null;
  };
  // A household's own texts are exact: no-break blanks stay.
  const clean = raw.kept === undefined ? cleanText : cleanExact;
  const titre = clean(raw.titre);
  const found = readIsbns(raw.isbns ?? []);
  avertissements.push(...found.avertissements);
  const row: Row = {
    titre,
    auteurs: cleanAuteurs(raw.auteurs, warn),
    isbn: found.isbn,
    editeur: cleanEditeur(clean(raw.editeur ?? ''), warn),
    annee: cleanAnnee(raw.annee ?? '', warn),
    nombrePages: cleanNombrePages(raw.nombrePages ?? '', warn),
    format: raw.isNumerique === true ? 'Numerique' : 'Physique',
    isSouhait:
      raw.lecture === 'souhait' || (raw.lecture === 'aLire' && aLire === 'souhait' && !raw.kept),
    statut: statutOf(raw.lecture ?? null),
    lectures: cleanLectures(raw.lectures ?? null, raw.lecture ?? null, warn),
    series: (raw.series ?? [])
      .map((serie) => ({ titre: cleanText(serie.titre), numero: serie.numero?.trim() ?? null }))
      .filter((serie) => serie.titre !== '' && serie.titre.length <= MAX_LENGTHS.titre)
      .filter((serie) => (serie.numero ?? '').length <= MAX_LENGTHS.code),
    emplacement: cleanEmplacement(raw.emplacement ?? '', warn),
    pret: raw.kept ? exactPret(raw.pret) : cleanPret(raw.pret, warn),
    ...(raw.kept && { kept: raw.kept }),
  };
  return {
    row,
    refus: raw.refus ?? refusalOf(titre, row.isbn),
    isPending: (raw.refus ?? null) === null && titre === '' && row.isbn !== null,
    avertissements,
    ...(raw.auteursEcrits && { auteursEcrits: cleanAuteurs(raw.auteursEcrits, () => null) }),
  };
}

type Warn = (sentence: string) => null;

const cleanExact = (text: string): string => nfc(oneLine(text.toWellFormed()).trim());

/** « &eacute; », « &#x27; », also « &eacute, » and « &#x0308, » where a program has replaced each semicolon. */
const decodeEntities = (text: string): string =>
  text.includes('&')
    ? decodeHTMLStrict(text.replace(/&(?:#x?[\da-f]+|[a-z]+\d*),/gi, withSemicolon))
    : text;

/** An entity that ends in a comma with its semicolon; what is none as it is. */
function withSemicolon(text: string): string {
  const entity = `${text.slice(0, -1)};`;
  return decodeHTMLStrict(entity) === entity ? text : entity;
}

/** As the service stores texts (docs/rules.md § 3): in one line, without control characters. */
const cleanText = (text: string): string =>
  nfc(
    decodeEntities(text)
      .toWellFormed()
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim(),
  );

function refusalOf(titre: string, isbn: string | null): string | null {
  if (Array.from(titre).length > MAX_LENGTHS.titre)
    return `titre de plus de ${MAX_LENGTHS.titre} caractères`;
  if (titre !== '') return null;
  return isbn === null ? 'ni titre ni ISBN valable' : 'en attente d’une réponse des catalogues';
}

function cleanAuteurs(noms: readonly string[], warn: Warn): string[] {
  const cleaned = [...new Set(noms.map(cleanText))].filter((nom) => nom !== '');
  const fitting = cleaned.filter((nom) => nom.length <= MAX_LENGTHS.nom);
  if (fitting.length < cleaned.length) warn('nom d’auteur trop long, laissé de côté');
  if (fitting.length > MAX_AUTEURS) warn(`seuls les ${MAX_AUTEURS} premiers auteurs sont gardés`);
  return fitting.slice(0, MAX_AUTEURS);
}

function cleanEditeur(editeur: string, warn: Warn): string | null {
  if (editeur.length > MAX_LENGTHS.nom) return warn('éditeur trop long, laissé de côté');
  return editeur === '' ? null : editeur;
}

function cleanAnnee(text: string, warn: Warn): number | null {
  const annee = readAnnee(text);
  if (annee !== null && Math.abs(annee) > MAX_ANNEE)
    return warn(`année impossible, laissée de côté : ${annee}`);
  return annee;
}

function cleanNombrePages(text: string, warn: Warn): number | null {
  const count = readCount(text);
  if (count !== null && count > MAX_NOMBRE_PAGES)
    return warn(`nombre de pages impossible, laissé de côté : ${count}`);
  return count;
}

function cleanEmplacement(text: string, warn: Warn): string[] {
  const noms = namesOfPath(cleanText(text));
  if (noms.length <= MAX_NIVEAUX && noms.every((nom) => nom.length <= MAX_LENGTHS.nom)) return noms;
  warn('emplacement de trop de niveaux ou de nom trop long, laissé de côté');
  return [];
}

const exactPret = (pret: RawRow['pret']): Row['pret'] =>
  pret ? { emprunteur: pret.emprunteur, datePret: pret.date } : null;

function cleanPret(pret: RawRow['pret'], warn: Warn): Row['pret'] {
  if (!pret) return null;
  const emprunteur = cleanText(pret.emprunteur);
  if (emprunteur === '') return null;
  if (emprunteur.length > MAX_LENGTHS.nom)
    return warn('nom d’emprunteur trop long, prêt laissé de côté');
  return { emprunteur, datePret: readDate(pret.date) };
}

function statutOf(lecture: Lecture | null): Statut | null {
  if (lecture === 'lu') return STATUTS.lu;
  if (lecture === 'enCours') return STATUTS.enCours;
  return lecture === 'aLire' ? STATUTS.aLire : null;
}
