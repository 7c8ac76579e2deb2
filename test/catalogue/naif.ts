import type { Changement, Statuts } from '#shared/catalogue';
import type { Criteres, LivreDocument } from '#shared/livres';
import type { Pret } from '#shared/prets';
import { normaliser } from '#shared/text';

/** The rules of the catalogue in their plainest words: reads everything, remembers nothing. */
export class CatalogueNaif {
  readonly livres = new Map<number, LivreDocument>();
  readonly prets = new Map<number, Pret>();

  recevoirLivres(changements: readonly Changement<LivreDocument>[]): void {
    ranger(this.livres, changements);
  }

  recevoirPrets(changements: readonly Changement<Pret>[]): void {
    ranger(this.prets, changements);
  }

  estPrete(livreId: number): boolean {
    return [...this.prets.values()].some(
      (pret) => pret.livreId === livreId && pret.dateRetour === null,
    );
  }

  chercher(criteres: Criteres, statuts: Statuts): number[] {
    return [...this.livres.values()]
      .filter((livre) => this.#repond(livre, criteres, statuts))
      .map((livre) => ({ id: livre.id, points: pointsDe(livre.titreNormalise) }))
      .sort((a, b) => comparer(a.points, b.points) || a.id - b.id)
      .map(({ id }) => id);
  }

  #repond(livre: LivreDocument, criteres: Criteres, statuts: Statuts): boolean {
    const { recherche = '', format, typeDocument, disponibilite, statut } = criteres;
    const textes = [livre.titreNormalise, ...livre.auteurs.map(({ nom }) => normaliser(nom))];
    const mots = normaliser(recherche).split(' ');
    const sien = statuts.get(livre.id);
    return (
      mots.every((mot) => textes.some((texte) => texte.includes(mot))) &&
      (format === undefined || livre.format === format) &&
      (typeDocument === undefined || livre.typeDocument === typeDocument) &&
      (disponibilite === undefined ||
        (this.estPrete(livre.id) ? 'prete' : 'chezSoi') === disponibilite) &&
      (statut === undefined || (sien === undefined ? 'aucun' : String(sien)) === statut)
    );
  }
}

function ranger<T extends { id: number }>(
  table: Map<number, T>,
  changements: readonly Changement<T>[],
): void {
  for (const changement of changements) {
    if (changement._deleted) table.delete(changement.id);
    else table.set(changement.id, changement);
  }
}

const pointsDe = (texte: string) => Array.from(texte, (signe) => signe.codePointAt(0) ?? 0);

function comparer(a: readonly number[], b: readonly number[]): number {
  const i = a.findIndex((point, rang) => point !== b[rang]);
  return i === -1 ? a.length - b.length : (a[i] ?? 0) - (b[i] ?? -1);
}
