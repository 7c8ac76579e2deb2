import { Refusal } from '#shared/refusals';
import { auteursNommes } from '#server/auteurs/domain';
import { retirerSansLivre } from '#server/auteurs/store';
import type { Context } from '#server/context';
import type { Base } from '#server/database/base';
import { pretOuvertDuLivre } from '#server/prets/store';
import { seRessemblent } from './doublons.ts';
import { presenterLivre } from './presentation.ts';
import type { LivreEcrit, Saisie } from './saisie.ts';
import * as store from './store.ts';

/** Adds a book and returns its id. One that resembles others needs to be `confirme`. */
export function ajouter(
  context: Context,
  saisie: Saisie,
  confirme: boolean,
  utilisateur: string | null,
): number {
  const { base } = context;
  return base.write(() => {
    // A name is an author only once its record is found; a refusal undoes what it has made.
    const auteurs = auteursNommes(base, saisie.noms);
    const similaires = confirme ? [] : semblables(base, saisie.livre, auteurs);
    if (similaires.length > 0)
      throw new Refusal('DOUBLON', {
        similaires: similaires.map((id) => presenterLivre(context, utilisateur, id)),
      });
    const date = new Date().toISOString();
    const id = store.insererLivre(base, saisie.livre, utilisateur, date);
    store.ecrireAuteursDuLivre(base, id, auteurs);
    return id;
  });
}

/** Rewrites a whole book. A lent one is of paper and stays so until it is back. */
export function modifier(base: Base, id: number, { livre, noms }: Saisie): void {
  base.write(() => {
    if (store.formatDuLivre(base, id) === undefined) throw new Refusal('INTROUVABLE');
    if (livre.format === 'Numerique') exigerRendu(base, id);
    const anciens = store.auteursDuLivre(base, id);
    store.reecrireLivre(base, id, livre);
    store.ecrireAuteursDuLivre(base, id, auteursNommes(base, noms));
    retirerSansLivre(base, anciens);
  });
}

/** Takes a book away with its history; not while it is lent. */
export function supprimer(base: Base, id: number): void {
  base.write(() => {
    if (store.formatDuLivre(base, id) === undefined) throw new Refusal('INTROUVABLE');
    exigerRendu(base, id);
    const auteurs = store.auteursDuLivre(base, id);
    store.effacerLivre(base, id);
    retirerSansLivre(base, auteurs);
  });
}

function exigerRendu(base: Base, livreId: number): void {
  const ouvert = pretOuvertDuLivre(base, livreId);
  if (ouvert) throw new Refusal('LIVRE_PRETE', { emprunteur: ouvert.emprunteur });
}

function semblables(base: Base, livre: LivreEcrit, auteurs: readonly number[]): number[] {
  return store
    .livresSemblables(base, livre.isbn, livre.cleOeuvre)
    .map((candidat) => ({ ...candidat, auteurs: store.auteursDuLivre(base, candidat.id) }))
    .filter((candidat) => seRessemblent({ ...livre, auteurs }, candidat))
    .map(({ id }) => id);
}
