import type { Changement } from '#shared/catalogue';
import { Kiosque } from '#shared/kiosque';
import * as operations from '#shared/numeros';
import type { CriteresNumeros, Numero, NumeroSaisi } from '#shared/numeros';
import type { Revue } from '#shared/revues';
import { cleTexte, comparerTextes } from '#shared/text';
import { ecrire } from './ecriture.ts';
import { lesVues, parVersion } from './vues.svelte.ts';

/** What the kiosk has been told, so that it is told what changes only. */
const tenu = {
  kiosque: new Kiosque(),
  revues: new Map<number, Revue>(),
  numeros: new Map<number, Numero>(),
};

/** The periodicals in memory; they are first normalised when a screen asks for them. */
export const kiosque = parVersion((): Kiosque => {
  const { revues, numeros } = lesVues();
  tenu.kiosque.recevoirRevues(differences(tenu.revues, revues));
  tenu.kiosque.recevoirNumeros(differences(tenu.numeros, numeros));
  return tenu.kiosque;
});

/** What has come, changed or gone in a table since the last time; `avant` is brought up to it. */
function differences<T extends { id: number }>(
  avant: Map<number, T>,
  table: ReadonlyMap<number, T>,
): Changement<T>[] {
  const changements: Changement<T>[] = [];
  for (const id of avant.keys())
    if (!table.has(id)) {
      changements.push({ id, _deleted: true });
      avant.delete(id);
    }
  for (const [id, document] of table)
    if (avant.get(id) !== document) {
      changements.push(document);
      avant.set(id, document);
    }
  return changements;
}

/** Each word of the vocabulary once, in its first spelling, with the number of its issues. */
const themes = parVersion(() => {
  const connus = new Map<string, { nom: string; nombre: number }>();
  for (const { themes } of [...lesVues().numeros.values()].sort((a, b) => a.id - b.id))
    for (const nom of themes) {
      const cle = cleTexte(nom);
      const connu = connus.get(cle);
      if (connu) connu.nombre++;
      else connus.set(cle, { nom, nombre: 1 });
    }
  return [...connus]
    .sort(([a], [b]) => comparerTextes(a, b))
    .map(([cle, theme]) => ({ cle, ...theme }));
});

/** A theme as it is proposed; `cle` is what two spellings of it share. */
export interface ThemeConnu {
  readonly cle: string;
  readonly nom: string;
  readonly nombre: number;
}

/** The issues of the household's periodicals as this device holds them, reactive. */
export const numeros = {
  get nombre(): number {
    return lesVues().numeros.size;
  },
  numero(id: number): Numero | undefined {
    return kiosque().numero(id);
  },
  /** The issues of one periodical, newest first. */
  deLaRevue(revueId: number): readonly Numero[] {
    return kiosque().numerosDe(revueId);
  },
  /** The issues that answer the criteria, newest first. */
  chercher(criteres: CriteresNumeros): readonly Numero[] {
    return kiosque().chercher(criteres);
  },
  /** The vocabulary of the themes, by name. */
  get themes(): readonly ThemeConnu[] {
    return themes();
  },
};

/** Adds an issue to a periodical. Throws `NUMERO_EXISTANT` for a number that it has. */
export const ajouterNumero = (revueId: number, saisie: NumeroSaisi): Promise<Numero> =>
  ecrire(operations.ajouterNumero, { params: { id: revueId }, body: saisie });

/** Rewrites a whole issue. */
export const modifierNumero = (id: number, saisie: NumeroSaisi): Promise<Numero> =>
  ecrire(operations.modifierNumero, { params: { id }, body: saisie });

export const supprimerNumero = (id: number): Promise<undefined> =>
  ecrire(operations.supprimerNumero, { params: { id } });
