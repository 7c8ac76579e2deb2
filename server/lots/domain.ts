import { MAX_LENGTHS } from '#shared/fields';
import { LOT_FIELDS, type Lot } from '#shared/lots';
import { champRefusal, Refusal } from '#shared/refusals';
import { fitsPlace, parseTome } from '#shared/series-fit';
import type { PlaceSaisie, Serie } from '#shared/series';
import { numbersByValue } from '#shared/sort';
import { compareText, normaliser } from '#shared/text';
import type { Livre } from '#shared/livres';
import type { Database } from '#server/database/database';
import { lireLivre, modifierChamps, supprimerLivre } from '#server/livres/domain/livres';
import { preter, rendre } from '#server/prets/domain';
import { ajouterSerie, modifierSerie } from '#server/series/domain/series';
import { readSerie } from '#server/series/store/document';
import { modifierStatut } from '#server/statuts/domain';

/**
 * Does one thing to several books, to all or to none, and returns those that are still there, as
 * their reader sees them. A refusal is that of the first book in the way, with its `livreId`
 * (docs/rules.md § 40). A status without identity is `IDENTITE_INCONNUE`.
 */
export function traiterLot(database: Database, lot: Lot, utilisateur: string | null): Livre[] {
  const ids = [...new Set(lot.ids)];
  const work = workOf(database, lot, utilisateur);
  return database.write(() => {
    if (lot.action === 'serie') placerLot(database, ids, lot);
    else for (const id of ids) refusingAt(id, () => work(id));
    if (lot.action === 'supprimer') return [];
    return ids.map((id) => lireLivre(database, id, utilisateur));
  });
}

/** What the action does to one book. */
function workOf(database: Database, lot: Lot, utilisateur: string | null): (id: number) => unknown {
  switch (lot.action) {
    case 'statut': {
      if (utilisateur === null) throw new Refusal('IDENTITE_INCONNUE');
      const statut = required(lot, 'statut');
      return (id) => modifierStatut(database, utilisateur, id, statut);
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
      return (id) => preter(database, id, emprunteur);
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

/**
 * Puts books in a series, or in a new one: in the place of the missing volume that each is, else at
 * the end in the order of the volume numbers that their titles tell, the others behind in the order
 * given. A book that stands in the series already stays where it is.
 */
function placerLot(database: Database, ids: readonly number[], lot: Lot): void {
  const titre = lot.serie?.titre;
  const known = titre === undefined ? knownSerie(database, required(lot, 'serieId')) : null;
  const there = known?.places ?? [];
  const placed = new Set(there.map(({ livreId }) => livreId));
  const livres = ids
    .filter((id) => !placed.has(id))
    .map((id) => refusingAt(id, () => lireLivre(database, id, null)));
  const places = withVolumes(there, livres);
  if (titre !== undefined) ajouterSerie(database, { titre, places });
  else if (known !== null && livres.length > 0)
    modifierSerie(database, known.id, { ...known, places });
}

function knownSerie(database: Database, serieId: number): Serie {
  const serie = readSerie(database, serieId);
  if (serie === undefined) throw champRefusal('serieId', 'n’est pas une série de la bibliothèque');
  return serie;
}

function withVolumes(there: Serie['places'], livres: readonly Livre[]): PlaceSaisie[] {
  const places = [...there];
  const others = livres.filter((livre) => {
    const index = places.findIndex((place) => fitsPlace(livre, place));
    const missing = places[index];
    if (missing === undefined) return true;
    places[index] = { ...missing, livreId: livre.id };
    return false;
  });
  const added = others
    .map((livre) => ({ livre, numero: parseTome(livre.titre)?.numero ?? null }))
    .sort((a, b) => compareNumeros(a.numero, b.numero))
    .map(({ livre, numero }) => ({
      titre: livre.titre,
      numero,
      livreId: livre.id,
      auteur: auteursText(livre),
      isbn: livre.isbn,
    }));
  return [...places, ...added];
}

const auteursText = ({ auteurs }: Livre): string | null =>
  auteurs
    .map(({ nom }) => nom)
    .join(' ; ')
    .slice(0, MAX_LENGTHS.nom) || null;

/** By value, « 2 » before « 10 » and « II » after both; what tells none stays behind. */
function compareNumeros(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return compareText(numbersByValue(normaliser(a)), numbersByValue(normaliser(b)));
}

/** The field that an action takes. */
function required<K extends keyof Lot>(lot: Lot, champ: K): Exclude<Lot[K], undefined> {
  const given = lot[champ];
  if (given === undefined)
    throw champRefusal(
      champ,
      `est nécessaire pour ${lot.action} (${String(LOT_FIELDS[lot.action])})`,
    );
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- undefined has been refused
  return given as Exclude<Lot[K], undefined>;
}

/** Runs work on one book; its refusal names the book. */
function refusingAt<T>(livreId: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof Refusal ? error.about({ livreId }) : error;
  }
}
