import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LivreDocument } from '#shared/livres';
import { cleRegroupement } from '#shared/text';
import { auteursNommes, suggestions } from '#server/auteurs/domain';
import { auteurConnu, auteurDeCle, auteursConnus } from '#server/auteurs/store';
import { Base } from '#server/database/base';
import { lireSaisie } from '#server/livres/saisie';
import { ecrireAuteursDuLivre, insererLivre } from '#server/livres/store';
import { renormaliser } from '#server/renormalisation';
import { livresDuFichier, livresInventes } from './catalogue-livres.ts';

const AUTEURS = 5000;

/**
 * The authors of the books of `fichier` (made ones without it). The first 5,000: what their entry,
 * the start-up pass and the suggestions take, these beside an empty loop over all pairs, the least
 * that comparing them would cost. Then the other books, and what the initials have merged.
 */
export function benchAuteurs(fichier?: string): void {
  const dossier = mkdtempSync(join(tmpdir(), 'rayonnage-bench-'));
  const base = Base.open(join(dossier, 'auteurs.sqlite'));
  try {
    const livres = fichier === undefined ? livresInventes(20_000) : livresDuFichier(fichier);
    const entree = duree(() => entrer(base, livres, AUTEURS));
    mesurer(base, entree);
    for (const { auteurs, raison } of suggestions(base).slice(0, 50))
      console.log(`  ${auteurs[0].nom} / ${auteurs[1].nom} : ${raison}`);
    entrer(base, livres.slice(nombreDeLivres(base)), Infinity);
    direLesFusions(base, livres);
  } finally {
    base.close();
    rmSync(dossier, { recursive: true });
  }
}

function mesurer(base: Base, entree: number): void {
  const nombre = auteursConnus(base).length;
  console.log(`\n${nombre} auteurs`);
  dire('entrée', `${(entree / nombre).toFixed(3)} ms par auteur`);
  dire('passe de démarrage', `${mediane(() => renormaliser(base)).toFixed(0)} ms`);
  const boucle = mediane(() => toutesLesPaires(nombre));
  const recherche = mediane(() => suggestions(base));
  dire('suggestions', `${recherche.toFixed(0)} ms, ${(recherche / boucle).toFixed(1)} × la boucle`);
}

/** Enters books until so many authors are there, all in one transaction. */
function entrer(base: Base, livres: readonly LivreDocument[], limite: number): void {
  base.write(() => {
    for (const { titre, auteurs } of livres) {
      if (compter(base, 'Auteur') >= limite) return;
      const { livre, noms } = lireSaisie({ titre, format: 'Physique', auteurs });
      const id = insererLivre(base, livre, null, '2026-01-01T00:00:00.000Z');
      ecrireAuteursDuLivre(base, id, auteursNommes(base, noms));
    }
  });
}

const nombreDeLivres = (base: Base) => compter(base, 'Livre');

const compter = (base: Base, table: 'Auteur' | 'Livre') =>
  base.prepare<[], { nombre: number }>(`SELECT count(*) AS nombre FROM ${table}`).get()?.nombre ??
  0;

/** The names that have no record of their own: the initials rule has given them another's. */
function direLesFusions(base: Base, livres: readonly LivreDocument[]): void {
  const noms = new Set(livres.flatMap(({ auteurs }) => auteurs.map(({ nom }) => nom)));
  const sans = [...noms].filter((nom) => auteurDeCle(base, cleRegroupement(nom)) === undefined);
  console.log(`\n${compter(base, 'Auteur')} auteurs de ${nombreDeLivres(base)} livres`);
  for (const nom of sans) {
    const [id = 0] = base.write(() => auteursNommes(base, [nom]));
    console.log(`  fondu : ${nom} → ${auteurConnu(base, id)?.nom ?? ''}`);
  }
}

function toutesLesPaires(nombre: number): number {
  let vues = 0;
  for (let a = 0; a < nombre; a++) for (let b = a + 1; b < nombre; b++) vues += (a ^ b) & 1;
  return vues;
}

function duree(travail: () => unknown): number {
  const debut = performance.now();
  travail();
  return performance.now() - debut;
}

const mediane = (travail: () => unknown): number =>
  Array.from({ length: 7 }, () => duree(travail)).sort((a, b) => a - b)[3] ?? 0;

const dire = (quoi: string, combien: string) => console.log(`  ${quoi.padEnd(24)}${combien}`);
