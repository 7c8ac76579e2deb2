import { abrege, lireForme } from '#shared/nom-forme';
import { cleRegroupement } from '#shared/text';
import { Refus } from '#server/auteurs/refus';
import { regrouper } from '#server/auteurs/regroupement';

/**
 * Tells which of the names found are the author asked for: those of the same grouping key, and the
 * full forms of an initials form where they are one person's. Never the other way: « Martin, J. »
 * is not taken for Jean Martin (contract.md « Bibliography »).
 */
export function estLAuteur(demande: string, trouves: readonly string[]): (nom: string) => boolean {
  const abregee = lireForme(demande);
  const pleins = [...new Set(trouves)].filter((nom) => abrege(abregee, lireForme(nom)));
  const personnes = [demande, ...pleins].map((nom, id) => ({ id, nom, formePleine: null }));
  const { heritiers } = regrouper(personnes, new Refus());
  const personne = (id: number) => heritiers.get(id) ?? id;
  const siens = personnes.filter(({ id }) => personne(id) === personne(0));
  const cles = new Set(siens.map(({ nom }) => cleRegroupement(nom)));
  return (nom) => cles.has(cleRegroupement(nom));
}
