import type { FastifyInstance } from 'fastify';
import { detailKey } from '#shared/detail-names';
import { LOT_FIELDS, traiterLot as endpoint, type Lot } from '#shared/lots';
import type { Livre } from '#shared/livres';
import { champRefusal, Refusal } from '#shared/refusals';
import { parseTome } from '#shared/series-titres';
import { textKey } from '#shared/text';
import type { Transaction } from '#server/plumbing/database/connection';
import { mount } from '#server/plumbing/http/mount';
import { answer, operation } from '#server/plumbing/writes/operations';
import { requireEmplacement } from '#server/subjects/emplacements';
import { enteredFin, jourOf, statuer } from '#server/subjects/lectures';
import { changerDetail } from '#server/subjects/livres/details';
import { requireLivre, sizeOfLivres } from '#server/subjects/livres/read';
import { changerTheme, modifierChamps, supprimerLivre } from '#server/subjects/livres/livres';
import { enteredPret, preter, rendre, typedOtherwise } from '#server/subjects/prets';
import { ajouterALaListe } from '#server/subjects/selections/selections';
import { placerVolumes, readSerie, serieIdOf } from '#server/subjects/series';

/**
 * Applies one change to several books, all or none, and returns the remaining ones as their reader sees them. Throws
 * the refusal of the first book that cannot be changed, with its `livreId` (docs/rules.md § 40). A status without
 * identity is refused as `IDENTITE_INCONNUE`.
 */
function traiterLot(tx: Transaction, lot: Lot, utilisateur: string | null): Livre[] {
  const ids = [...new Set(lot.ids)];
  const work = workOf(tx, lot, utilisateur);
  if (lot.action === 'serie') placerLot(tx, ids, lot);
  else if (lot.action === 'liste')
    ajouterALaListe(tx, required(lot, 'selection'), ids, utilisateur);
  else for (const id of ids) refusingAt(id, () => work(id));
  return lot.action === 'supprimer' ? [] : ids.map((id) => requireLivre(tx, id, utilisateur));
}

function workOf(tx: Transaction, given: Lot, utilisateur: string | null): (id: number) => unknown {
  const changing = (champs: Parameters<typeof modifierChamps>[2]) => (id: number) =>
    modifierChamps(tx, id, champs);
  switch (given.action) {
    case 'statut': {
      if (utilisateur === null) throw new Refusal('IDENTITE_INCONNUE');
      const statut = required(given, 'statut');
      const jour = jourOf(given.jour);
      const fin = given.fin === undefined ? undefined : enteredFin(given.fin);
      return (livreId) => statuer(tx, { utilisateur, livreId }, statut, { ...jour, fin });
    }
    case 'format':
      return changing({ format: required(given, 'format') });
    case 'typeDocument':
      return changing({ typeDocument: required(given, 'typeDocument') });
    case 'preter': {
      const pret = enteredPret({ ...given, emprunteur: required(given, 'emprunteur') });
      return (id) => preter(tx, id, pret);
    }
    case 'emplacement': {
      const emplacementId = required(given, 'emplacementId');
      requireEmplacement(tx, emplacementId);
      return changing({ emplacementId });
    }
    case 'ajouterTheme':
    case 'retirerTheme': {
      const theme = required(given, 'theme');
      return (id) => changerTheme(tx, id, theme, given.action === 'ajouterTheme');
    }
    case 'detail': {
      const nom = required(given, 'nom');
      const valeur = required(given, 'valeur');
      return (id) => changerDetail(tx, id, nom, valeur);
    }
    case 'rendre': {
      const meant = given.prets && new Set(given.prets);
      return (id) => {
        const { pret } = requireLivre(tx, id, null);
        if (pret !== null && meant?.has(pret.id) !== false) rendre(tx, pret.id);
      };
    }
    case 'supprimer':
      return (id) => supprimerLivre(tx, id);
    case 'serie':
    case 'liste':
      return () => undefined;
  }
}

/** Puts books into a series by the numbers in their titles (docs/rules.md § 19). */
function placerLot(tx: Transaction, ids: readonly number[], given: Lot): void {
  const serie = given.serie ?? { id: required(given, 'serieId') };
  const serieId = serieIdOf(tx, serie, 'serieId');
  const titre = readSerie(tx, serieId)?.titre ?? '';
  const isIt = (name: string) => textKey(name) === textKey(titre);
  const volumes = ids.map((id) => {
    const livre = refusingAt(id, () => requireLivre(tx, id, null));
    return { ...livre, livreId: id, numero: parseTome(livre.titre, isIt)?.numero ?? null };
  });
  placerVolumes(tx, serieId, volumes);
}

function required<K extends keyof Lot>(given: Lot, champ: K) {
  const value = given[champ];
  if (value === undefined)
    throw champRefusal(champ, 'POUR_ACTION', {
      action: given.action,
      champs: String(LOT_FIELDS[given.action]),
    });
  return value;
}

function refusingAt<T>(livreId: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof Refusal ? error.with({ details: { livreId } }) : error;
  }
}

/** The name as the household spells it. */
const nomOf = (livres: readonly Livre[], nom = ''): string =>
  livres.flatMap(({ details }) => details).find((one) => detailKey(one.nom) === detailKey(nom))
    ?.nom ?? nom;

const batch = operation(endpoint, {
  may: 'household',
  holder: 'lot',
  size: (database, { body }) => sizeOfLivres(database, body.ids),
  run(tx, { body, utilisateur }) {
    const livres = traiterLot(tx, body, utilisateur);
    const [pret] = body.action === 'preter' ? livres.flatMap((livre) => livre.pret ?? []) : [];
    return answer({
      livres,
      ...(body.theme !== undefined && { theme: body.theme }),
      ...(body.action === 'detail' && { nom: nomOf(livres, body.nom), valeur: body.valeur }),
      ...(pret && typedOtherwise(pret, body.emprunteur ?? '')),
    });
  },
});

export function routes(app: FastifyInstance): void {
  mount(app, [batch]);
}
