import type { MaybeDeleted, Statuts } from '#shared/catalogue';
import type { Emplacement } from '#shared/emplacements';
import type { LusParMoi } from '#shared/lectures';
import { MANQUES, type Criteres, type LivreDocument, type Order } from '#shared/livres';
import type { Pret } from '#shared/prets';
import type { Serie } from '#shared/series';
import { auteurSortKey, titreSortKey, type Tri } from '#shared/sort';
import { normaliser, textKey } from '#shared/text';

/** The data of one reader. */
export interface Own {
  readonly statuts: Statuts;
  readonly lus: LusParMoi;
}

/** The catalogue's rules without any index: reads everything for each query. */
export class NaiveCatalogue {
  readonly livres = new Map<number, LivreDocument>();
  readonly prets = new Map<number, Pret>();
  readonly series = new Map<number, Serie>();
  readonly emplacements = new Map<number, Emplacement>();

  applyLivres(changes: readonly MaybeDeleted<LivreDocument>[]): void {
    apply(this.livres, changes);
  }

  applyPrets(changes: readonly MaybeDeleted<Pret>[]): void {
    apply(this.prets, changes);
  }

  applySeries(changes: readonly MaybeDeleted<Serie>[]): void {
    apply(this.series, changes);
  }

  applyEmplacements(changes: readonly MaybeDeleted<Emplacement>[]): void {
    apply(this.emplacements, changes);
  }

  /** A location with all its descendants, in order; all locations for `null`. */
  #within(id: number | null): number[] {
    const below = [...this.emplacements.values()]
      .filter(({ parentId }) => (this.emplacements.has(parentId ?? 0) ? parentId : null) === id)
      .sort((a, b) => a.rang - b.rang || a.id - b.id)
      .flatMap((each) => this.#within(each.id));
    return id === null ? below : this.emplacements.has(id) ? [id, ...below] : [];
  }

  isLent(livreId: number): boolean {
    return [...this.prets.values()].some(
      (pret) => pret.livreId === livreId && pret.dateRetour === null,
    );
  }

  search(criteres: Criteres & Order, { statuts, lus }: Own): number[] {
    const words = normaliser(criteres.recherche ?? '').split(' ');
    const sorted = [...this.livres.values()]
      .filter((livre) => this.#matches(livre, criteres, statuts) && answers(livre, words))
      .map((livre) => ({ livre, key: this.#key(livre, criteres.tri ?? 'titre', lus) }))
      .sort((a, b) => compareKeys(a.key, b.key) || a.livre.id - b.livre.id)
      .map(({ livre }) => livre);
    if (criteres.inverse !== true) return sorted.map(({ id }) => id);
    const isLast = (livre: LivreDocument) =>
      (criteres.tri === 'note' && (lus.get(livre.id)?.note ?? null) === null) ||
      (criteres.tri === 'fin' && (lus.get(livre.id)?.fin ?? null) === null) ||
      (criteres.tri === 'annee' && livre.annee === null) ||
      (criteres.tri === 'auteur' && livre.auteurs.length === 0) ||
      (criteres.tri === 'serie' && this.#placesOf(livre.id).length === 0) ||
      (criteres.tri === 'emplacement' && !this.emplacements.has(livre.emplacementId ?? 0));
    return [...sorted.filter((livre) => !isLast(livre)).reverse(), ...sorted.filter(isLast)].map(
      ({ id }) => id,
    );
  }

  /** The components of a sort key. */
  #key(livre: LivreDocument, tri: Tri, lus: LusParMoi): readonly (string | number)[] {
    const titre = titreSortKey(livre.titre);
    const [auteur] = livre.auteurs;
    switch (tri) {
      case 'titre':
        // The end of a title sorts before any letter.
        return [...codePointsOf(livre.titreNormalise), -1];
      case 'note':
        return [-(lus.get(livre.id)?.note ?? -Infinity), titre];
      case 'fin':
        return [-Date.parse(lus.get(livre.id)?.fin ?? '0001'), titre];
      case 'alphabetique':
        return [titre];
      case 'auteur':
        return auteur === undefined ? [1, '', titre] : [0, auteurSortKey(auteur.nom), titre];
      case 'ajout':
        return [-Date.parse(livre.dateAjout)];
      case 'annee':
        return [livre.annee ?? Infinity, titre];
      case 'serie':
        return [...(this.#placesOf(livre.id)[0] ?? [1, '', 0, 0]), titre];
      case 'emplacement': {
        const index = this.#within(null).indexOf(livre.emplacementId ?? 0);
        return [index === -1 ? Infinity : index, titre];
      }
    }
  }

  #placesOf(livreId: number): (readonly [number, string, number, number])[] {
    return [...this.series.values()]
      .flatMap(({ id, titre, places }) => {
        const index = places.findIndex((place) => place.livreId === livreId);
        return index === -1 ? [] : [[0, titreSortKey(titre), id, index] as const];
      })
      .sort(compareKeys);
  }

  #matches(livre: LivreDocument, criteres: Criteres, statuts: Statuts): boolean {
    const { format, typeDocument, disponibilite, statut, sans, editeur, emplacement } = criteres;
    const standing = livre.emplacementId ?? 0;
    const lacks = {
      couverture: () => livre.couverture === null,
      isbn: () => livre.isbn === null,
      serie: () => this.#placesOf(livre.id).length === 0,
    };
    const own = statuts.get(livre.id);
    const theme = textKey(criteres.theme ?? '');
    const [nom = '', ...valeur] = (criteres.detail ?? '').split(':');
    return (
      (criteres.detail === undefined ||
        livre.details.some(
          (detail) =>
            textKey(detail.nom) === textKey(nom.trim()) &&
            (valeur.length === 0 || textKey(detail.valeur) === textKey(valeur.join(':').trim())),
        )) &&
      (theme === '' || livre.themes.some((nom) => textKey(nom) === theme)) &&
      (format === undefined || livre.format === format) &&
      (typeDocument === undefined || livre.typeDocument === typeDocument) &&
      (disponibilite === undefined ||
        (this.isLent(livre.id) ? 'prete' : 'chezSoi') === disponibilite) &&
      (criteres.appartenance === undefined ||
        (livre.emprunteA === null ? 'aNous' : 'emprunte') === criteres.appartenance) &&
      (statut === undefined ||
        statut.split(',').includes(own === undefined ? 'aucun' : String(own))) &&
      MANQUES.every((manque) => !sans?.split(',').includes(manque) || lacks[manque]()) &&
      (emplacement === undefined ||
        (emplacement === 'aucun'
          ? !this.emplacements.has(standing)
          : this.#within(Number(emplacement)).includes(standing))) &&
      (normaliser(editeur ?? '') === '' ||
        normaliser(livre.editeur ?? '') === normaliser(editeur ?? ''))
    );
  }
}

function apply<T extends { id: number }>(
  table: Map<number, T>,
  changes: readonly MaybeDeleted<T>[],
): void {
  for (const change of changes) {
    if (change._deleted) table.delete(change.id);
    else table.set(change.id, change);
  }
}

const answers = (
  { titreNormalise, auteurs, themes, details }: LivreDocument,
  words: readonly string[],
): boolean =>
  words.every((word) =>
    [
      titreNormalise,
      ...auteurs.map(({ nom }) => normaliser(nom)),
      ...themes.map(normaliser),
      ...details.map(({ valeur }) => normaliser(valeur)),
    ].some((text) => text.includes(word)),
  );

const codePointsOf = (text: string) => Array.from(text, (sign) => sign.codePointAt(0) ?? 0);

function compareKeys(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  for (const [i, x] of a.entries()) {
    const y = b[i];
    if (x === y) continue;
    if (typeof x === 'number' && typeof y === 'number') return x - y;
    return String(x) < String(y) ? -1 : 1;
  }
  return 0;
}
