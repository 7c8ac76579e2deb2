import type { AuteurCite, AuteurDocument } from '#shared/auteurs';
import type { CollectionDocument, CollectionName } from '#shared/collections';
import { afficherIsbn } from '#shared/isbn';
import type { LivreDocument } from '#shared/livres';
import type { Pret } from '#shared/prets';
import type { Revue } from '#shared/revues';
import type { RevueSouhaitee } from '#shared/souhaits-revues';
import type { StatutDocument } from '#shared/statuts';
import type { Base } from '#server/database/base';
import { COLONNES_NUMERO, enNumero, type LigneNumero } from '#server/numeros/store-document';
import { COLONNES_SERIE, enSerie, type LigneSerie } from '#server/series/store-document';
import { COLONNES_REVUE_SOUHAITEE, enRevueSouhaitee } from '#server/souhaits-revues/store-document';
import { COLONNES_SOUHAIT, enSouhait, type LigneSouhait } from '#server/souhaits/store-document';

/** A line of the journal with its document, of which only the number is left once it is deleted. */
export interface Entry<N extends CollectionName> {
  readonly revision: number;
  /** Whose document it is; '' where it is everyone's. */
  readonly utilisateur: string;
  readonly document: CollectionDocument<N> | Deleted;
}

export interface Deleted {
  id: number;
  _deleted: true;
}

/** The columns that a document is made of. */
interface Columns {
  livres: Omit<LivreDocument, 'auteurs' | 'isbnAffiche'> & { auteurs: string };
  auteurs: AuteurDocument;
  prets: Pret;
  series: LigneSerie;
  revues: Revue;
  numeros: LigneNumero;
  statuts: StatutDocument;
  souhaits: LigneSouhait;
  'souhaits-revues': RevueSouhaitee;
}

interface Source<N extends CollectionName> {
  readonly columns: string;
  /** Joins the record as `d` to its line of the journal `j`. */
  readonly join: string;
  readonly document: (row: Columns[N]) => CollectionDocument<N>;
}

const sources: { readonly [N in CollectionName]: Source<N> } = {
  livres: {
    columns: `d.titre, d.titreNormalise, d.isbn, d.format, d.typeDocument, d.nombrePages,
      d.coverUrl, d.editeur, d.annee, d.ajoutePar, d.dateAjout,
      (SELECT json_group_array(json_object('id', a.id, 'nom', a.nom) ORDER BY la.position)
       FROM LivreAuteur la JOIN Auteur a ON a.id = la.auteurId
       WHERE la.livreId = j.id) AS auteurs`,
    join: 'Livre d ON d.id = j.id',
    document: ({ id, titre, titreNormalise, auteurs, isbn, ...rest }) => ({
      id,
      titre,
      titreNormalise,
      auteurs: citesIn(auteurs),
      isbn,
      isbnAffiche: isbn === null ? null : afficherIsbn(isbn),
      format: rest.format,
      typeDocument: rest.typeDocument,
      nombrePages: rest.nombrePages,
      coverUrl: rest.coverUrl,
      editeur: rest.editeur,
      annee: rest.annee,
      ajoutePar: rest.ajoutePar,
      dateAjout: rest.dateAjout,
    }),
  },
  auteurs: {
    columns: 'd.nom, d.nomNormalise',
    join: 'Auteur d ON d.id = j.id',
    document: ({ id, nom, nomNormalise }) => ({ id, nom, nomNormalise }),
  },
  prets: {
    columns: 'd.livreId, d.emprunteur, d.datePret, d.dateRetour',
    join: 'Pret d ON d.id = j.id',
    document: ({ id, livreId, emprunteur, datePret, dateRetour }) => ({
      id,
      livreId,
      emprunteur,
      datePret,
      dateRetour,
    }),
  },
  series: {
    columns: COLONNES_SERIE,
    join: 'Serie d ON d.id = j.id',
    document: enSerie,
  },
  revues: {
    columns: 'd.titre, d.issn',
    join: 'Revue d ON d.id = j.id',
    document: ({ id, titre, issn }) => ({ id, titre, issn }),
  },
  numeros: {
    columns: COLONNES_NUMERO,
    join: 'Numero d ON d.id = j.id',
    document: enNumero,
  },
  statuts: {
    columns: 'd.livreId, d.statut',
    join: 'Statut d ON d.livreId = j.id AND d.utilisateur = j.utilisateur',
    document: ({ id, livreId, statut }) => ({ id, livreId, statut }),
  },
  souhaits: {
    columns: COLONNES_SOUHAIT,
    join: 'Souhait d ON d.id = j.id AND d.utilisateur = j.utilisateur',
    document: enSouhait,
  },
  'souhaits-revues': {
    columns: COLONNES_REVUE_SOUHAITEE,
    join: 'RevueSouhaitee d ON d.id = j.id AND d.utilisateur = j.utilisateur',
    document: enRevueSouhaitee,
  },
};

// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- it is what the query above has just made
const citesIn = (json: string): AuteurCite[] => JSON.parse(json) as AuteurCite[];

/** The entries of one owner ('' for what is shared) after a revision, in its order. */
export function readPage<N extends CollectionName>(
  base: Base,
  collection: N,
  utilisateur: string,
  depuis: number,
  limite: number,
): Entry<N>[] {
  const rows = base
    .prepare<[string, string, number, number], Row<N>>(
      `${select(collection)}
       WHERE j.collection = ? AND j.utilisateur = ? AND j.revision > ?
       ORDER BY j.revision LIMIT ?`,
    )
    .all(collection, utilisateur, depuis, limite);
  return rows.map((row) => entryOf(collection, row));
}

/**
 * The entries of everyone after a revision, one by one, for the server's own memory: what leaves
 * the server is read by `readPage`, for one owner.
 */
export function* readSince<N extends CollectionName>(
  base: Base,
  collection: N,
  depuis: number,
): Generator<Entry<N>> {
  // By the journal's own order: a commit adds few lines to many.
  const rows = base
    .prepare<[number, string], Row<N>>(
      `${select(collection, 'NOT INDEXED')} WHERE j.revision > ? AND j.collection = ?`,
    )
    .iterate(depuis, collection);
  for (const row of rows) yield entryOf(collection, row);
}

type Row<N extends CollectionName> = Columns[N] & {
  revision: number;
  utilisateur: string;
  supprime: 0 | 1;
};

const select = (collection: CollectionName, hint = ''): string =>
  `SELECT j.revision, j.utilisateur, j.supprime, j.id, ${sources[collection].columns}
   FROM Journal j ${hint} LEFT JOIN ${sources[collection].join}`;

function entryOf<N extends CollectionName>(collection: N, row: Row<N>): Entry<N> {
  const { revision, utilisateur, supprime, id } = row;
  if (supprime === 1) return { revision, utilisateur, document: { id, _deleted: true } };
  return { revision, utilisateur, document: sources[collection].document(row) };
}
