import type { Changement } from './catalogue.ts';
import type { CriteresNumeros, Numero } from './numeros.ts';
import type { Revue } from './revues.ts';
import { cleTexte, comparerTextes, normaliser } from './text.ts';

/** An issue as the kiosk holds it. */
interface Entree {
  readonly numero: Numero;
  /** What is searched of it, normalised, a line each: no word of a query spans two. */
  readonly texte: string;
  readonly themes: ReadonlySet<string>;
}

/**
 * The household's periodicals and issues in memory, on the server and on every device alike. It
 * takes the changes of the collections `revues` and `numeros` in any order and answers criteria
 * without reading any store.
 */
export class Kiosque {
  readonly #revues = new Map<number, { readonly revue: Revue; readonly titre: string }>();
  readonly #entrees = new Map<number, Entree>();
  /** Every issue, newest first; made when it is asked for. */
  #ordre: readonly Entree[] | null = null;

  /** Every periodical, by title, then id. */
  get revues(): Revue[] {
    return [...this.#revues.values()]
      .sort((a, b) => comparerTextes(a.titre, b.titre) || a.revue.id - b.revue.id)
      .map(({ revue }) => revue);
  }

  revue(id: number): Revue | undefined {
    return this.#revues.get(id)?.revue;
  }

  numero(id: number): Numero | undefined {
    return this.#entrees.get(id)?.numero;
  }

  /** The issues of one periodical, newest first. */
  numerosDe(revueId: number): Numero[] {
    return this.#trouver(({ numero }) => numero.revueId === revueId);
  }

  /**
   * The issues that have every word of the query in the title of their periodical, their number,
   * front page, summary, themes or articles, and the theme asked for, newest first (contract.md
   * `GET /api/numeros`). A query without a letter or digit matches all.
   */
  chercher({ recherche = '', theme = '' }: CriteresNumeros): Numero[] {
    const mots = normaliser(recherche).split(' ');
    const cle = cleTexte(theme);
    return this.#trouver(({ numero, texte, themes }) => {
      if (cle !== '' && !themes.has(cle)) return false;
      const titre = this.#revues.get(numero.revueId)?.titre ?? '';
      return mots.every((mot) => texte.includes(mot) || titre.includes(mot));
    });
  }

  recevoirRevues(changements: Iterable<Changement<Revue>>): void {
    for (const recu of changements) {
      if (recu._deleted) this.#revues.delete(recu.id);
      else this.#revues.set(recu.id, { revue: recu, titre: normaliser(recu.titre) });
    }
  }

  recevoirNumeros(changements: Iterable<Changement<Numero>>): void {
    for (const recu of changements) {
      if (recu._deleted) this.#entrees.delete(recu.id);
      else this.#entrees.set(recu.id, creerEntree(recu));
      this.#ordre = null;
    }
  }

  #trouver(garde: (entree: Entree) => boolean): Numero[] {
    this.#ordre ??= [...this.#entrees.values()].sort((a, b) => parDate(a.numero, b.numero));
    return this.#ordre.filter(garde).map(({ numero }) => numero);
  }
}

function creerEntree(numero: Numero): Entree {
  const { une, resume, themes, articles } = numero;
  const lignes = [numero.numero, une ?? '', resume ?? '', ...themes, ...articles];
  return {
    numero,
    texte: lignes.map(normaliser).join('\n'),
    themes: new Set(themes.map(cleTexte)),
  };
}

/**
 * Newest first, by the date as it is written: a year stands behind its months, a month behind its
 * days, since what is known of them is that they are not before its beginning. What has no date
 * comes last, and ties go by id.
 */
export function parDate(a: Pick<Numero, 'id' | 'date'>, b: Pick<Numero, 'id' | 'date'>): number {
  return comparerTextes(b.date ?? '', a.date ?? '') || a.id - b.id;
}
