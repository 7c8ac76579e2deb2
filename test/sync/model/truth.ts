import type { CollectionName } from '#shared/collection-names';
import { collections } from '#shared/collections';
import { statutOfLecture } from '#shared/lectures';
import { formatIsbn } from '#shared/isbn-format';
import type { Database } from '#server/plumbing/database/database';
import type { Document } from './members.ts';

/** A row whose uploaded cover is always missing here: the model has no pictures. */
interface Covered {
  readonly couvertureCle: string | null;
  readonly couvertureAdresse: string | null;
}

/** A user's documents of a collection, read from the tables independently of the server. */
export function truth(
  database: Database,
  collection: CollectionName,
  utilisateur: string | null,
): Document[] {
  const rows = <T extends object = Document>(sql: string) => database.prepare<[], T>(sql).all();
  const { personal } = collections[collection];
  if (personal === true && utilisateur === null) return [];
  switch (collection) {
    case 'livres': {
      const refs = rows<{ livreId: number; id: number; nom: string }>(
        `SELECT livreId, id, nom FROM LivreAuteur JOIN Auteur ON id = auteurId
         ORDER BY livreId, position`,
      );
      const themes = rows<{ livreId: number; nom: string }>(
        'SELECT livreId, nom FROM LivreTheme JOIN Theme ON id = themeId ORDER BY livreId, position',
      );
      return rows<
        Covered & {
          id: number;
          isbn: string | null;
          cleOeuvre: string;
          details: string | null;
          emprunteA: string | null;
        }
      >('SELECT * FROM Livre ORDER BY id').map(
        ({ cleOeuvre, couvertureCle, couvertureAdresse, ...livre }) => ({
          ...livre,
          couverture: null,
          isbnAffiche: livre.isbn === null ? null : formatIsbn(livre.isbn),
          auteurs: refs
            .filter(({ livreId }) => livreId === livre.id)
            .map(({ id, nom }) => ({ id, nom })),
          themes: themes.filter(({ livreId }) => livreId === livre.id).map(({ nom }) => nom),
          details: JSON.parse(livre.details ?? '[]') as unknown,
          emprunteA: JSON.parse(livre.emprunteA ?? 'null') as unknown,
        }),
      );
    }
    case 'auteurs':
      return rows('SELECT id, nom, nomNormalise FROM Auteur ORDER BY id');
    case 'prets':
      return rows(
        'SELECT id, livreId, emprunteur, datePret, dateRetour, dateRetourPrevue FROM Pret ORDER BY id',
      );
    case 'statuts':
      return rows<Document & { utilisateur: string }>(
        'SELECT livreId AS id, livreId, statut, utilisateur FROM Statut ORDER BY livreId',
      )
        .filter((row) => row.utilisateur === utilisateur)
        .map(({ utilisateur, ...document }) => document);
    case 'series': {
      const places = rows<Placed & { serieId: number; premierLivreId: number | null }>(
        'SELECT * FROM Place',
      );
      const series = rows<Placed & { parentId: number | null; nombreTomes: number | null }>(
        'SELECT * FROM Serie',
      );
      return series
        .map(({ id, titre, parentId, nombreTomes }) => {
          const mine = places.filter(({ serieId }) => serieId === id).sort(byPosition);
          const subs = series.filter((serie) => serie.parentId === id).sort(byPosition);
          const placed = [
            ...mine.map(({ position, id }) => ({ position, element: { place: id } })),
            ...subs.map(({ position, id }) => ({ position, element: { serie: id } })),
          ];
          return {
            id,
            titre,
            parentId,
            nombreTomes,
            places: mine.map(({ serieId, position, premierLivreId, ...place }) => place),
            sousSeries: subs.map(({ id, titre }) => ({ id, titre })),
            elements: placed.sort(byPosition).map(({ element }) => element),
          };
        })
        .sort((a, b) => a.id - b.id);
    }
    case 'emplacements':
      return rows(
        'SELECT id, nom, parentId, note, position AS rang, fermeLe FROM Emplacement ORDER BY id',
      );
    case 'revues':
      return rows('SELECT id, titre, issn, secondIssn FROM Revue ORDER BY id');
    case 'numeros': {
      const of = (sql: string) => rows<{ numeroId: number; text: string }>(sql);
      const themes = of(
        `SELECT numeroId, nom AS text FROM NumeroTheme JOIN Theme ON id = themeId
         ORDER BY numeroId, position`,
      );
      const articles = of(
        'SELECT numeroId, titre AS text FROM Article ORDER BY numeroId, position',
      );
      return rows<Covered & Document & { numeroNormalise: string }>(
        'SELECT * FROM Numero ORDER BY id',
      ).map(({ numeroNormalise, couvertureCle, couvertureAdresse, ...numero }) => {
        const mine = (all: typeof themes) =>
          all.filter(({ numeroId }) => numeroId === numero.id).map(({ text }) => text);
        return { ...numero, couverture: null, themes: mine(themes), articles: mine(articles) };
      });
    }
    case 'lectures': {
      const livres = rows<Named & { id: number }>(
        `SELECT id, titre, isbn, (SELECT json_group_array(nom ORDER BY position)
           FROM LivreAuteur JOIN Auteur ON Auteur.id = auteurId WHERE livreId = Livre.id) AS auteurs
         FROM Livre`,
      );
      const gone = rows<Named & { id: number }>(
        `SELECT id, image ->> 'titre' AS titre, image ->> 'isbn' AS isbn, image ->> 'auteurs' AS auteurs
         FROM Dormant WHERE kind = 'Livre'`,
      );
      return rows<Owned & Reading>(
        `SELECT id, utilisateur, livreId, titre, auteurs, isbn, debut, fin, abandon, note, avis,
           page, pourcent, pageJour
         FROM Lecture ORDER BY id`,
      )
        .filter((row) => row.utilisateur === utilisateur)
        .map(({ utilisateur, livreId, ...lecture }) => {
          const isIts = ({ id }: { id: number }) => id === livreId;
          const livre = livres.find(isIts);
          const { titre, isbn, auteurs } = livre ?? gone.find(isIts) ?? lecture;
          const notation = { ...lecture, abandon: lecture.abandon === 1 };
          return {
            ...notation,
            livreId: livre?.id ?? null,
            titre,
            isbn,
            auteurs: JSON.parse(auteurs) as string[],
            statut: statutOfLecture(notation),
          };
        });
    }
    case 'souhaits':
      return rows<Owned & Covered & { isbn: string | null; coverUrl: string | null }>(
        'SELECT * FROM Souhait ORDER BY id',
      )
        .filter((row) => row.utilisateur === utilisateur)
        .map(
          ({
            utilisateur,
            cleOeuvre,
            auteurNormalise,
            ordre,
            placeId,
            couvertureCle,
            couvertureAdresse,
            ...souhait
          }) => ({
            ...souhait,
            couverture: null,
            isbnAffiche: souhait.isbn === null ? null : formatIsbn(souhait.isbn),
            coverUrl:
              souhait.coverUrl ?? (souhait.isbn === null ? null : fallbackCover(souhait.isbn)),
          }),
        );
    case 'souhaits-revues':
      return rows<Owned>('SELECT * FROM RevueSouhaitee ORDER BY id')
        .filter((row) => row.utilisateur === utilisateur)
        .map(({ utilisateur, cleOeuvre, numeroNormalise, ordre, ...souhait }) => souhait);
    case 'objectifs':
      return rows<Owned>('SELECT * FROM Objectif ORDER BY id')
        .filter((row) => row.utilisateur === utilisateur)
        .map(({ utilisateur, ...objectif }) => objectif);
    case 'partages':
      return utilisateur === null ? [] : rows('SELECT * FROM Partage ORDER BY id');
    case 'selections':
      return rows<
        Document & {
          utilisateur: string;
          criteres: string;
          livres: string;
          partagee: number;
          accueil: number;
        }
      >(
        `SELECT id, utilisateur, nom, criteres,
           (SELECT json_group_array(livreId ORDER BY position, livreId) FROM SelectionLivre
            WHERE selectionId = Selection.id) AS livres, utilisateur = '' AS partagee, accueil, position AS rang
         FROM Selection ORDER BY id`,
      )
        .filter((row) => ['', utilisateur].includes(row.utilisateur))
        .map(({ utilisateur: _, ...row }) => ({
          ...row,
          criteres: JSON.parse(row.criteres) as unknown,
          livres: row.criteres === 'null' ? (JSON.parse(row.livres) as unknown) : null,
          partagee: row.partagee === 1,
          accueil: row.accueil === 1,
        }));
    case 'modifications':
      return rows<Act>('SELECT * FROM Modification ORDER BY id')
        .filter(({ proprietaire }) => ['', utilisateur].includes(proprietaire))
        .map(({ proprietaire, avec, ...act }) => ({
          ...act,
          arguments: JSON.parse(act.arguments) as unknown,
          fiches: JSON.parse(act.fiches) as unknown,
          annulee: act.annuleeParId !== null,
          annulable: act.annuleeParId === null && act.importationId === null,
        }));
  }
}

/** A row of a modification, whose records are JSON. */
type Act = Document & {
  proprietaire: string;
  arguments: string;
  avec: string;
  fiches: string;
  annuleeParId: number | null;
  importationId: number | null;
};

/** A row of a reading. */
type Reading = Named & {
  livreId: number | null;
  debut: string | null;
  fin: string | null;
  abandon: number;
  page: number | null;
  pourcent: number | null;
  pageJour: string | null;
};

/** What was read, in a reading or a deleted book. */
interface Named {
  titre: string;
  auteurs: string;
  isbn: string | null;
}

/** A row with a place in a series. */
type Placed = Document & { titre: string; position: number };

const byPosition = (a: { position: number }, b: { position: number }) => a.position - b.position;

/** A row of a wish, with keys that documents lack. */
type Owned = Document & {
  utilisateur: string;
  cleOeuvre: string;
  auteurNormalise: string;
  ordre: number | null;
  placeId: number | null;
  numeroNormalise: string;
};

const fallbackCover = (isbn: string) =>
  `https://covers.openlibrary.org/b/isbn/${isbn}-L.jpg?default=false`;
