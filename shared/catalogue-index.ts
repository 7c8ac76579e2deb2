import { Bits } from './bits.ts';
import { contenant, fusionner, rang, remplacer, type Entree } from './catalogue-entrees.ts';

/**
 * Finds parts of words in many books without reading each book's text. A word of a query holds no
 * blank, so it is a part of a text exactly when it is a part of one of its words; and the distinct
 * words of a library are few: joined, they are searched as one text, and each knows its books.
 * What has changed since the index was made stands beside it and is read book by book.
 */
export class IndexDeMots {
  /** The entries when the index was made, in title order: a place is a number in this list. */
  readonly #entrees: readonly Entree[];
  /** The places whose entry is still in the catalogue. */
  readonly #vivantes: Bits;
  readonly #recentes: Entree[] = [];
  /** The distinct words, a line each; the word `i` begins at `#debuts[i]`. */
  readonly #mots: string;
  readonly #debuts: Uint32Array;
  /** The places of the word `i`: those of `#places` from `#bornes[i]` up to `#bornes[i + 1]`. */
  readonly #bornes: Uint32Array;
  readonly #places: Uint32Array;

  /** Takes 1 to 3 µs an entry; `entrees` is in title order, and copied. */
  constructor(entrees: readonly Entree[]) {
    this.#entrees = entrees.slice();
    this.#vivantes = Bits.tous(entrees.length);
    const { lexique, numeros, fins } = lireMots(entrees);
    this.#mots = lexique.join('\n');
    this.#debuts = cumuler(lexique.map((mot) => mot.length + 1));
    this.#bornes = cumuler(compter(numeros, lexique.length));
    this.#places = ranger(numeros, fins, this.#bornes);
  }

  /** True once so much has changed that a new index is worth its making. */
  get perime(): boolean {
    return this.#recentes.length > this.#entrees.length / 50;
  }

  /** Follows a change of the catalogue: one entry in another's place, either may be missing. */
  remplacer(ancienne: Entree | undefined, nouvelle: Entree | undefined): void {
    remplacer(this.#recentes, ancienne, nouvelle);
    if (ancienne === undefined) return;
    const place = rang(this.#entrees, ancienne);
    if (this.#entrees[place] === ancienne) this.#vivantes.retirer(place);
  }

  /** The entries that hold every word, in title order. */
  trouver(mots: readonly string[]): readonly Entree[] {
    const restent = this.#vivantes.copie();
    for (const mot of mots) restent.croiser(this.#placesAvec(mot));
    const trouvees: Entree[] = [];
    restent.parcourir((place) => {
      const entree = this.#entrees[place];
      if (entree !== undefined) trouvees.push(entree);
    });
    return fusionner(trouvees, contenant(this.#recentes, mots));
  }

  /** The places of every word of which this is a part. */
  #placesAvec(partie: string): Bits {
    const places = Bits.aucun(this.#entrees.length);
    let mot = 0;
    let position = this.#mots.indexOf(partie);
    while (position !== -1) {
      mot = this.#motA(position, mot);
      const fin = this.#bornes[mot + 1] ?? 0;
      for (let i = this.#bornes[mot] ?? 0; i < fin; i++) places.ajouter(this.#places[i] ?? 0);
      position = this.#mots.indexOf(partie, this.#debuts[mot + 1]);
    }
    return places;
  }

  /** The word, from `mot` on, in which a position of the joined words falls. */
  #motA(position: number, mot: number): number {
    let fin = this.#debuts.length - 1;
    while (mot < fin - 1) {
      const milieu = (mot + fin) >>> 1;
      if ((this.#debuts[milieu] ?? 0) <= position) mot = milieu;
      else fin = milieu;
    }
    return mot;
  }
}

interface MotsLus {
  /** The distinct words, by number. */
  readonly lexique: readonly string[];
  /** The words of every entry, one entry behind the other, each word by its number. */
  readonly numeros: Uint32Array;
  /** Where in `numeros` each entry ends. */
  readonly fins: Uint32Array;
}

/** Reads into arrays of a known size: lists that grow would cost a server of this size 100 MB. */
function lireMots(entrees: readonly Entree[]): MotsLus {
  const auPlus = entrees.reduce((somme, { texte }) => somme + ((texte.length + 1) >>> 1), 0);
  const numeros = new Uint32Array(auPlus);
  const fins = new Uint32Array(entrees.length);
  const lexique = new Map<string, number>();
  let lus = 0;
  for (const [place, { texte }] of entrees.entries()) {
    for (const mot of texte.split(/[ \n]+/)) {
      if (mot === '') continue;
      let numero = lexique.get(mot);
      if (numero === undefined) lexique.set(mot, (numero = lexique.size));
      numeros[lus++] = numero;
    }
    fins[place] = lus;
  }
  return { lexique: [...lexique.keys()], numeros: numeros.subarray(0, lus), fins };
}

/** How often each number below a bound occurs. */
function compter(numeros: Uint32Array, borne: number): Uint32Array {
  const comptes = new Uint32Array(borne);
  for (const numero of numeros) comptes[numero] = (comptes[numero] ?? 0) + 1;
  return comptes;
}

/** Where each of several runs begins when they stand one behind the other, and the end of all. */
function cumuler(longueurs: ArrayLike<number>): Uint32Array {
  const debuts = new Uint32Array(longueurs.length + 1);
  for (let i = 0; i < longueurs.length; i++) debuts[i + 1] = (debuts[i] ?? 0) + (longueurs[i] ?? 0);
  return debuts;
}

/** The places of every word, in ascending order, one word behind the other. */
function ranger(numeros: Uint32Array, fins: Uint32Array, bornes: Uint32Array): Uint32Array {
  const places = new Uint32Array(numeros.length);
  const suivants = bornes.slice();
  let lus = 0;
  for (const [place, fin] of fins.entries()) {
    for (; lus < fin; lus++) {
      const mot = numeros[lus] ?? 0;
      const suivant = suivants[mot] ?? 0;
      places[suivant] = place;
      suivants[mot] = suivant + 1;
    }
  }
  return places;
}
