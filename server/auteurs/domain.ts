import type { Auteur, SuggestionFusion } from '#shared/auteurs';
import { lireForme } from '#shared/nom-forme';
import { Refusal } from '#shared/refusals';
import { cleRegroupement } from '#shared/text';
import type { Base } from '#server/database/base';
import { apprendre, forme, fusionner, renomme, type AuteurConnu } from './fusion.ts';
import { paire, Refus } from './refus.ts';
import { regrouper, type Bilan } from './regroupement.ts';
import * as fusions from './store-fusions.ts';
import * as store from './store.ts';
import { ressemblances } from './suggestions.ts';

/**
 * The records of the names of a cover, in its order, made where there is none. One named twice
 * counts once, a more presentable spelling becomes the shown name, and initials forms go into
 * their full form (contract.md « Rules made exact »). Belongs in the transaction of its book.
 */
export function auteursNommes(base: Base, noms: readonly string[]): number[] {
  let ids: number[] = [];
  for (const nom of noms) {
    const { id, heritiers } = auteurNomme(base, nom);
    ids = [...ids.map((autre) => heritiers.get(autre) ?? autre), id];
  }
  return [...new Set(ids)];
}

/** Renames an author everywhere; two authors stay two, so another's name is refused. */
export function renommer(base: Base, id: number, nom: string): Auteur {
  return base.write(() => {
    const auteur = exiger(base, id);
    const autre = porteurDuNom(base, nom);
    if (autre && autre.id !== id)
      throw new Refusal('AUTEUR_EXISTANT', { auteur: { id: autre.id, nom: autre.nom } });
    store.nommerAuteur(base, renomme(auteur, nom));
    const bilan = regrouper(voisins(base, nom), refusConnus(base));
    appliquer(base, bilan);
    return lire(base, bilan.heritiers.get(id) ?? id);
  });
}

/** Makes one author of two, refused or not, and returns the one that stays. */
export function fusionnerAuteurs(base: Base, [a, b]: readonly [number, number]): Auteur {
  return base.write(() => {
    const { reste, absorbe } = fusionner(exiger(base, a), exiger(base, b));
    fusions.fondreAuteur(base, absorbe, reste.id);
    store.nommerAuteur(base, reste);
    const auteur = lire(base, reste.id);
    store.retirerSansLivre(base, [reste.id]);
    return auteur;
  });
}

/** Remembers that two authors are two people. */
export function refuserFusion(base: Base, [a, b]: readonly [number, number]): void {
  base.write(() => {
    exiger(base, a);
    exiger(base, b);
    fusions.refuserFusion(base, paire(a, b));
  });
}

/** The merges that somebody should decide; an author without books is left out. */
export function suggestions(base: Base): SuggestionFusion[] {
  return base.read(() => {
    const parId = new Map(store.tousLesAuteurs(base).map((auteur) => [auteur.id, auteur]));
    const connus = store
      .auteursConnus(base)
      .map((auteur) => ({ id: auteur.id, nom: forme(auteur) }));
    return ressemblances(connus, refusConnus(base)).flatMap(({ paire: [a, b], raison }) => {
      const [premier, second] = [parId.get(a), parId.get(b)];
      if (!premier?.nombreLivres || !second?.nombreLivres) return [];
      return [{ auteurs: [premier, second], raison }];
    });
  });
}

/** Stands for the record that a name would make: the highest of ids, as the next one is. */
const NOUVEAU = Number.MAX_SAFE_INTEGER;

function auteurNomme(base: Base, nom: string): { id: number } & Pick<Bilan, 'heritiers'> {
  const connu = store.auteurDeCle(base, cleRegroupement(nom));
  if (connu) {
    store.nommerAuteur(base, apprendre(connu, nom));
    return { id: connu.id, heritiers: new Map() };
  }
  const nouveau = { id: NOUVEAU, nom, formePleine: null };
  const bilan = regrouper([...voisins(base, nom), nouveau], refusConnus(base));
  const [abrege] = [...bilan.heritiers].find(([, reste]) => reste === NOUVEAU) ?? [];
  const id = bilan.heritiers.get(NOUVEAU) ?? abrege ?? store.creerAuteur(base, nom);
  const reel = enPlaceDuNouveau(bilan, id);
  appliquer(base, reel);
  return { id, heritiers: reel.heritiers };
}

/** The new name's merges, once a record is known that it goes by. */
function enPlaceDuNouveau({ heritiers, restes }: Bilan, id: number): Bilan {
  const reel = (autre: number) => (autre === NOUVEAU ? id : autre);
  const paires = [...heritiers].map(([absorbe, reste]) => [reel(absorbe), reel(reste)] as const);
  return {
    heritiers: new Map(paires.filter(([absorbe, reste]) => absorbe !== reste)),
    restes: restes.map((reste) => ({ ...reste, id: reel(reste.id) })),
  };
}

/** Writes what merges have made of the records. */
export function appliquer(base: Base, { heritiers, restes }: Bilan): void {
  for (const [absorbe, reste] of heritiers) fusions.fondreAuteur(base, absorbe, reste);
  for (const reste of restes) store.nommerAuteur(base, reste);
}

/** The authors whom a name's initials, or its full form, may concern: they share its last word. */
function voisins(base: Base, nom: string): AuteurConnu[] {
  const mot = lireForme(nom).mots.at(-1)?.texte;
  return mot === undefined ? [] : store.auteursDuMot(base, mot);
}

/** Who has a name already, shown or behind a more presentable one. */
function porteurDuNom(base: Base, nom: string): AuteurConnu | undefined {
  const cle = cleRegroupement(nom);
  return (
    store.auteurDeCle(base, cle) ??
    voisins(base, nom).find((auteur) => cleRegroupement(forme(auteur)) === cle)
  );
}

/** The refusals as merging asks for them. */
export const refusConnus = (base: Base) => new Refus(fusions.fusionsRefusees(base));

function exiger(base: Base, id: number): AuteurConnu {
  const auteur = store.auteurConnu(base, id);
  if (auteur === undefined) throw new Refusal('INTROUVABLE');
  return auteur;
}

function lire(base: Base, id: number): Auteur {
  const auteur = store.lireAuteur(base, id);
  if (auteur === undefined) throw new Refusal('INTROUVABLE');
  return auteur;
}
