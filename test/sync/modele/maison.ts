import { collections, type CollectionName } from '#shared/collections';
import { afficherIsbn } from '#shared/isbn';
import type { Serie } from '#shared/series';
import type { Base } from '#server/database/base';
import type { House } from '../../support/house.ts';
import type { Write } from './pas.ts';

interface Document {
  id: number;
  statut?: number;
  themes?: string[];
}

/** What the household's members do, and what they alone may ever see of it. */
export class Members {
  /** « user/book/status » of every status that was ever set. */
  readonly statuts = new Set<string>();
  /** « list/user/id » of every wish that was ever made. */
  readonly souhaits = new Set<string>();
  #livres = 0;
  #prets = 0;
  #series = 0;
  #revues = 0;
  #numeros = 0;

  /** Does one write as a real request; a refusal is an answer like another. */
  async write(house: House, step: Write): Promise<number> {
    const livre = `/api/livres/${String(wrapped(step, this.#livres))}`;
    const serie = `/api/series/${String(wrapped(step, this.#series))}`;
    switch (step.pas) {
      case 'ajouter': {
        const path = '/api/livres?confirmerDoublon=true';
        const { status } = await house.ask(step.qui, 'POST', path, step.livre);
        if (status === 201) this.#livres++;
        return status;
      }
      case 'modifier':
        return (await house.ask(null, 'PUT', livre, step.livre)).status;
      case 'supprimer':
        return (await house.ask(null, 'DELETE', livre)).status;
      case 'preter': {
        const { emprunteur } = step;
        const { status } = await house.ask(null, 'POST', `${livre}/prets`, { emprunteur });
        if (status === 201) this.#prets++;
        return status;
      }
      case 'rendre': {
        const pret = `/api/prets/${String(wrapped(step, this.#prets))}`;
        return (await house.ask(null, 'POST', `${pret}/retour`)).status;
      }
      case 'statut': {
        const { qui, statut } = step;
        const { status } = await house.ask(qui, 'PUT', `${livre}/statut`, { statut });
        const id = wrapped(step, this.#livres);
        if (status === 200) this.statuts.add(`${qui}/${String(id)}/${String(statut)}`);
        return status;
      }
      case 'ajouterSerie': {
        const { status } = await house.ask(null, 'POST', '/api/series', this.#serie(step.serie));
        if (status === 201) this.#series++;
        return status;
      }
      case 'modifierSerie':
        return (await house.ask(null, 'PUT', serie, this.#serie(step.serie))).status;
      case 'ordonnerSerie': {
        const { body } = await house.ask(null, 'GET', serie);
        const elements = [...((body as Partial<Serie>).elements ?? [])].reverse();
        return (await house.ask(null, 'PUT', `${serie}/ordre`, { elements })).status;
      }
      case 'supprimerSerie':
        return (await house.ask(null, 'DELETE', serie)).status;
      case 'revue': {
        const { titre } = step;
        const { status } = await house.ask(null, 'POST', '/api/revues', { titre });
        if (status === 201) this.#revues++;
        return status;
      }
      case 'supprimerRevue': {
        const revue = `/api/revues/${String(wrapped(step, this.#revues))}`;
        return (await house.ask(null, 'DELETE', revue)).status;
      }
      case 'ajouterNumero': {
        const path = `/api/revues/${String(wrapped(step, this.#revues))}/numeros`;
        const { status } = await house.ask(null, 'POST', path, step.numero);
        if (status === 201) this.#numeros++;
        return status;
      }
      case 'modifierNumero': {
        const numero = `/api/numeros/${String(wrapped(step, this.#numeros))}`;
        return (await house.ask(null, 'PUT', numero, step.numero)).status;
      }
      case 'supprimerNumero': {
        const numero = `/api/numeros/${String(wrapped(step, this.#numeros))}`;
        return (await house.ask(null, 'DELETE', numero)).status;
      }
      case 'souhaiter': {
        const path = `/api/${step.liste}`;
        const { status, body } = await house.ask(step.qui, 'POST', path, step.souhait);
        const { id } = body as Document;
        if (status === 201) this.souhaits.add(`${step.liste}/${step.qui}/${String(id)}`);
        return status;
      }
      case 'changerSouhait': {
        const path = `/api/${step.liste}/${String(wrapped(step, this.souhaits.size))}`;
        return (await house.ask(step.qui, 'PUT', path, step.souhait)).status;
      }
      case 'retirerSouhait': {
        const path = `/api/${step.liste}/${String(wrapped(step, this.souhaits.size))}`;
        return (await house.ask(step.qui, 'DELETE', path)).status;
      }
      case 'ordonnerSouhaits': {
        const path = `/api/${step.liste}`;
        const { body } = await house.ask(step.qui, 'GET', path);
        const ids = (body as Document[]).map(({ id }) => id).reverse();
        return (await house.ask(step.qui, 'PUT', `${path}/ordre`, { ids })).status;
      }
      case 'renommer': {
        const auteur = `/api/auteurs/${String(wrapped(step, 8))}`;
        return (await house.ask(null, 'PUT', auteur, { nom: step.nom })).status;
      }
    }
  }

  #serie({ titre, parent, places }: (Write & { pas: 'ajouterSerie' })['serie']) {
    const id = (nth: number | null, given: number) =>
      nth === null ? null : wrapped({ nth }, given);
    return {
      titre,
      parentId: id(parent, this.#series),
      places: places.map(({ titre, livre }) => ({ titre, livreId: id(livre, this.#livres) })),
    };
  }
}

/** An id among those that were given so far, and one more. */
const wrapped = (step: Write | { nth: number }, given: number): number =>
  'nth' in step ? (step.nth % (given + 1)) + 1 : 0;

/** The documents of a collection for one user, read from the tables by other ways than the server's. */
export function truth(
  base: Base,
  collection: CollectionName,
  utilisateur: string | null,
): Document[] {
  const rows = <T extends object = Document>(sql: string) => base.prepare<[], T>(sql).all();
  const { personal } = collections[collection];
  if (personal && utilisateur === null) return [];
  switch (collection) {
    case 'livres': {
      const cites = rows<{ livreId: number; id: number; nom: string }>(
        `SELECT livreId, id, nom FROM LivreAuteur JOIN Auteur ON id = auteurId
         ORDER BY livreId, position`,
      );
      return rows<{ id: number; isbn: string | null; cleOeuvre: string }>(
        'SELECT * FROM Livre ORDER BY id',
      ).map(({ cleOeuvre, ...livre }) => ({
        ...livre,
        isbnAffiche: livre.isbn === null ? null : afficherIsbn(livre.isbn),
        auteurs: cites
          .filter(({ livreId }) => livreId === livre.id)
          .map(({ id, nom }) => ({ id, nom })),
      }));
    }
    case 'auteurs':
      return rows('SELECT id, nom, nomNormalise FROM Auteur ORDER BY id');
    case 'prets':
      return rows('SELECT id, livreId, emprunteur, datePret, dateRetour FROM Pret ORDER BY id');
    case 'statuts':
      return rows<Document & { utilisateur: string }>(
        'SELECT livreId AS id, livreId, statut, utilisateur FROM Statut ORDER BY livreId',
      )
        .filter((row) => row.utilisateur === utilisateur)
        .map(({ utilisateur, ...document }) => document);
    case 'series': {
      const places = rows<Placed & { serieId: number }>('SELECT * FROM Place');
      const series = rows<Placed & { parentId: number | null }>('SELECT * FROM Serie');
      return series
        .map(({ id, titre, parentId }) => {
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
            places: mine.map(({ serieId, position, ...place }) => place),
            sousSeries: subs.map(({ id, titre }) => ({ id, titre })),
            elements: placed.sort(byPosition).map(({ element }) => element),
          };
        })
        .sort((a, b) => a.id - b.id);
    }
    case 'revues':
      return rows('SELECT id, titre, issn FROM Revue ORDER BY id');
    case 'numeros': {
      const of = (sql: string) => rows<{ numeroId: number; texte: string }>(sql);
      const themes = of(
        `SELECT numeroId, nom AS texte FROM NumeroTheme JOIN Theme ON id = themeId
         ORDER BY numeroId, position`,
      );
      const articles = of(
        'SELECT numeroId, titre AS texte FROM Article ORDER BY numeroId, position',
      );
      return rows<Document & { numeroNormalise: string }>('SELECT * FROM Numero ORDER BY id').map(
        ({ numeroNormalise, ...numero }) => {
          const mine = (all: typeof themes) =>
            all.filter(({ numeroId }) => numeroId === numero.id).map(({ texte }) => texte);
          return { ...numero, themes: mine(themes), articles: mine(articles) };
        },
      );
    }
    case 'souhaits':
      return rows<Owned & { isbn: string | null; coverUrl: string | null }>(
        'SELECT * FROM Souhait ORDER BY id',
      )
        .filter((row) => row.utilisateur === utilisateur)
        .map(({ utilisateur, cleOeuvre, auteurNormalise, ...souhait }) => ({
          ...souhait,
          isbnAffiche: souhait.isbn === null ? null : afficherIsbn(souhait.isbn),
          coverUrl: souhait.coverUrl ?? (souhait.isbn === null ? null : secours(souhait.isbn)),
        }));
    case 'souhaits-revues':
      return rows<Owned>('SELECT * FROM RevueSouhaitee ORDER BY id')
        .filter((row) => row.utilisateur === utilisateur)
        .map(({ utilisateur, cleOeuvre, numeroNormalise, ...souhait }) => souhait);
  }
}

/** A row that has its place in a series. */
type Placed = Document & { titre: string; position: number };

const byPosition = (a: { position: number }, b: { position: number }) => a.position - b.position;

/** A row of a wish, with the keys that no document has. */
type Owned = Document & {
  utilisateur: string;
  cleOeuvre: string;
  auteurNormalise: string;
  numeroNormalise: string;
};

const secours = (isbn: string) =>
  `https://covers.openlibrary.org/b/isbn/${isbn}-L.jpg?default=false`;
