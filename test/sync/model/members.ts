import type { Serie } from '#shared/series';
import type { House } from '../../support/house.ts';
import type { Write } from './steps.ts';

/** The fields of a document that the model reads. */
export interface Document {
  id: number;
  statut?: number | string;
  themes?: string[];
}

/** The writes of the household's members, and what is private to each. */
export class Members {
  /** « user/book/status » of every status ever set. */
  readonly statuts = new Set<string>();
  /** « list/user/id » of every wish ever created. */
  readonly souhaits = new Set<string>();
  #livres = 0;
  #prets = 0;
  #series = 0;
  #revues = 0;
  #numeros = 0;

  /** Sends a write as a real request; a refusal is returned, too. */
  async write(house: House, step: Write): Promise<number> {
    const livre = `/api/livres/${String(wrapped(step, this.#livres))}`;
    const serie = `/api/series/${String(wrapped(step, this.#series))}`;
    switch (step.step) {
      case 'ajouter': {
        const path = '/api/livres?confirmerDoublon=true';
        const { status } = await house.ask(step.who, 'POST', path, step.livre);
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
      case 'modifierStatut': {
        const { who, statut } = step;
        const { status } = await house.ask(who, 'PUT', `${livre}/statut`, { statut });
        const id = wrapped(step, this.#livres);
        if (status === 200) this.statuts.add(`${who}/${String(id)}/${String(statut)}`);
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
      case 'ajouterRevue': {
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
      case 'ajouterSouhait': {
        const path = `/api/${step.list}`;
        const { status, body } = await house.ask(step.who, 'POST', path, step.souhait);
        const { id } = body as Document;
        if (status === 201) this.souhaits.add(`${step.list}/${step.who}/${String(id)}`);
        return status;
      }
      case 'modifierSouhait': {
        const path = `/api/${step.list}/${String(wrapped(step, this.souhaits.size))}`;
        return (await house.ask(step.who, 'PUT', path, step.souhait)).status;
      }
      case 'supprimerSouhait': {
        const path = `/api/${step.list}/${String(wrapped(step, this.souhaits.size))}`;
        return (await house.ask(step.who, 'DELETE', path)).status;
      }
      case 'ordonnerSouhaits': {
        const path = `/api/${step.list}`;
        const { body } = await house.ask(step.who, 'GET', path);
        const ids = (body as Document[]).map(({ id }) => id).reverse();
        return (await house.ask(step.who, 'PUT', `${path}/ordre`, { ids })).status;
      }
      case 'selection': {
        const { what, who, nom, partagee, livres, nth } = step;
        const named = { nom: `${nom} ${String(who)}`, partagee };
        const body = { ...named, criteres: { theme: nom } };
        if (what === 'ajouter')
          return (await house.ask(who, 'POST', '/api/selections', body)).status;
        if (what === 'lister')
          return (await house.ask(who, 'POST', '/api/selections', { ...named, livres })).status;
        const path = `/api/selections/${String(1 + (nth % 6))}`;
        if (what === 'remplir')
          return (await house.ask(who, 'PUT', `${path}/livres`, { ids: livres })).status;
        return what === 'modifier'
          ? (await house.ask(who, 'PUT', path, body)).status
          : (await house.ask(who, 'DELETE', path)).status;
      }
      case 'annuler': {
        const { body } = await house.ask(step.who, 'GET', '/api/modifications?limite=1000');
        const acts = body as Document[];
        const id = acts[step.nth % Math.max(1, acts.length)]?.id ?? 1;
        const path = `/api/modifications/${String(id)}/annulation`;
        return (await house.ask(step.who, 'POST', path)).status;
      }
      case 'renommerAuteur': {
        const auteur = `/api/auteurs/${String(wrapped(step, 8))}`;
        return (await house.ask(null, 'PUT', auteur, { nom: step.nom })).status;
      }
    }
  }

  #serie({ titre, parent, places }: (Write & { step: 'ajouterSerie' })['serie']) {
    const id = (nth: number | null, given: number) =>
      nth === null ? null : wrapped({ nth }, given);
    return {
      titre,
      parentId: id(parent, this.#series),
      places: places.map(({ titre, livre }) => ({ titre, livreId: id(livre, this.#livres) })),
    };
  }
}

/** An existing id, or one more than the last. */
const wrapped = (step: Write | { nth: number }, given: number): number =>
  'nth' in step ? (step.nth % (given + 1)) + 1 : 0;
