import { LOT_FIELDS, traiterLot as endpoint, type Lot } from '#shared/lots';
import { champRefusal, Refusal } from '#shared/refusals';
import { parseTome } from '#shared/series-titres';
import type { Livre } from '#shared/livres';
import type { Transaction } from '#server/plumbing/database/transaction';
import { requireEmplacement } from '#server/subjects/emplacements';
import { jourOf, statuer } from '#server/subjects/lectures/domain/lectures';
import { lireLivre, modifierChamps, supprimerLivre } from '#server/subjects/livres/domain/livres';
import { datePretOf, preter, rendre } from '#server/subjects/prets';
import { placerVolumes } from '#server/subjects/series/placement';
import { serieIdOf } from '#server/subjects/series/series';
import { longOperation } from '#server/plumbing/writes/operation';

/** Does one thing to several books (docs/rules.md § 40). */
export const lot = longOperation({
  endpoint,
  told: 'Une action sur beaucoup de livres',
  size: (_, { body }) => body.ids.length,
  run: ({ database }, { body, utilisateur }) => ({
    answer: { livres: traiterLot(database, body, utilisateur) },
  }),
});

/**
 * Does one thing to several books, to all or to none, and returns those that are still there, as
 * their reader sees them. A refusal is that of the first book in the way, with its `livreId`
 * (docs/rules.md § 40). A status without identity is `IDENTITE_INCONNUE`.
 */
export function traiterLot(database: Transaction, lot: Lot, utilisateur: string | null): Livre[] {
  const ids = [...new Set(lot.ids)];
  const work = workOf(database, lot, utilisateur);
  if (lot.action === 'serie') placerLot(database, ids, lot);
  else for (const id of ids) refusingAt(id, () => work(id));
  if (lot.action === 'supprimer') return [];
  return ids.map((id) => lireLivre(database, id, utilisateur));
}

/** What the action does to one book. */
function workOf(
  database: Transaction,
  lot: Lot,
  utilisateur: string | null,
): (id: number) => unknown {
  switch (lot.action) {
    case 'statut': {
      if (utilisateur === null) throw new Refusal('IDENTITE_INCONNUE');
      const statut = required(lot, 'statut');
      const jour = jourOf(lot.jour);
      return (livreId) => statuer(database, { utilisateur, livreId }, statut, jour);
    }
    case 'format': {
      const format = required(lot, 'format');
      return (id) => modifierChamps(database, id, { format });
    }
    case 'typeDocument': {
      const typeDocument = required(lot, 'typeDocument');
      return (id) => modifierChamps(database, id, { typeDocument });
    }
    case 'preter': {
      const emprunteur = required(lot, 'emprunteur');
      const datePret = datePretOf(lot.datePret);
      return (id) => preter(database, id, emprunteur, datePret);
    }
    case 'emplacement': {
      const emplacementId = required(lot, 'emplacementId');
      requireEmplacement(database, emplacementId);
      return (id) => modifierChamps(database, id, { emplacementId });
    }
    case 'rendre':
      return (id) => {
        const { pret } = lireLivre(database, id, null);
        if (pret !== null) rendre(database, pret.id);
      };
    case 'supprimer':
      return (id) => supprimerLivre(database, id);
    case 'serie':
      return () => undefined;
  }
}

/** Puts books into a series by the numbers that their titles tell (docs/rules.md § 19). */
function placerLot(database: Transaction, ids: readonly number[], lot: Lot): void {
  const serie = lot.serie ?? { id: required(lot, 'serieId') };
  const serieId = serieIdOf(database, serie, 'serieId');
  const volumes = ids.map((id) => {
    const livre = refusingAt(id, () => lireLivre(database, id, null));
    return { ...livre, livreId: id, numero: parseTome(livre.titre)?.numero ?? null };
  });
  placerVolumes(database, serieId, volumes);
}

/** The field that an action takes. */
function required<K extends keyof Lot>(lot: Lot, champ: K) {
  const given = lot[champ];
  if (given === undefined)
    throw champRefusal(
      champ,
      `est nécessaire pour ${lot.action} (${String(LOT_FIELDS[lot.action])})`,
    );
  return given;
}

/** Runs work on one book; its refusal names the book. */
function refusingAt<T>(livreId: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof Refusal ? error.with({ details: { livreId } }) : error;
  }
}
