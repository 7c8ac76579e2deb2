import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import type { LivreDocument } from '#shared/livres';
import { normaliser } from '#shared/text';

/** The books of a list with the columns isbn, authors, year, original_title, title. */
export function livresDuFichier(fichier: string): LivreDocument[] {
  const lignes = parse<Record<string, string>>(readFileSync(fichier), { columns: true, bom: true });
  return lignes.map(({ title = '', authors = '' }, i) => livre(i + 1, title, authors.split(', ')));
}

/** As many made books as asked for, the same ones each time: common words are common. */
export function livresInventes(nombre: number): LivreDocument[] {
  const hasard = suite(20_261);
  const mots = Array.from({ length: 30_000 }, () => invente(hasard, 1 + hasard(4)));
  const mot = () => mots[Math.floor(mots.length * (hasard(1000) / 1000) ** 4)] ?? '';
  const noms = Array.from(
    { length: 1 + nombre / 3 },
    () => `${majuscule(invente(hasard, 2))} ${majuscule(invente(hasard, 3))}`,
  );
  return Array.from({ length: nombre }, (_, i) => {
    const titre = Array.from({ length: 1 + hasard(6) }, mot).join(' ');
    return livre(i + 1, majuscule(titre), [noms[hasard(noms.length)] ?? '']);
  });
}

function livre(id: number, titre: string, auteurs: readonly string[]): LivreDocument {
  return {
    id,
    titre,
    titreNormalise: normaliser(titre),
    auteurs: auteurs.map((nom, i) => ({ id: 10 * id + i, nom })),
    isbn: null,
    isbnAffiche: null,
    format: id % 9 === 0 ? 'Numerique' : 'Physique',
    typeDocument: 'NonPrecise',
    nombrePages: null,
    coverUrl: null,
    editeur: null,
    annee: null,
    ajoutePar: null,
    dateAjout: '2026-01-01T00:00:00.000Z',
  };
}

/** Whole numbers below a bound, always the same ones for a seed (Lehmer). */
function suite(graine: number): (borne: number) => number {
  let etat = graine;
  return (borne) => (etat = (etat * 48_271) % 2_147_483_647) % borne;
}

const SYLLABES =
  'a an bou cha dé en fi gra ho il jo ker la mon né or pa quin ro sé ta u ver za'.split(' ');

const invente = (hasard: (borne: number) => number, syllabes: number) =>
  Array.from({ length: syllabes }, () => SYLLABES[hasard(SYLLABES.length)]).join('');

const majuscule = (texte: string) => texte.charAt(0).toUpperCase() + texte.slice(1);
