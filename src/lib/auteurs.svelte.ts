import { SvelteMap } from 'svelte/reactivity';
import * as operations from '#shared/auteurs';
import type { Auteur } from '#shared/auteurs';
import type { LivreDocument } from '#shared/livres';
import { comparerTextes, normaliser } from '#shared/text';
import { ApiError } from './api/error.ts';
import { ecrire } from './ecriture.ts';
import { lesVues, parVersion } from './vues.svelte.ts';

/** The books of every author, by the author's id, each list by title. */
const livresParAuteur = parVersion(() => {
  const { catalogue, statuts } = lesVues();
  const liste = new Map<number, LivreDocument[]>();
  for (const livre of catalogue.chercher({}, statuts))
    for (const { id } of livre.auteurs) {
      const siens = liste.get(id);
      if (siens) siens.push(livre);
      else liste.set(id, [livre]);
    }
  return liste;
});

/** The authors by name; one without books is only kept by the server for a refused merge. */
const tous = parVersion((): readonly Auteur[] =>
  [...lesVues().auteurs.values()]
    .map((auteur) => ({ ...auteur, nombreLivres: livresParAuteur().get(auteur.id)?.length ?? 0 }))
    .filter(({ nombreLivres }) => nombreLivres > 0)
    .sort((a, b) => comparerTextes(a.nomNormalise, b.nomNormalise) || a.id - b.id),
);

const parId = parVersion(() => new Map(tous().map((auteur) => [auteur.id, auteur])));

/** The authors of the household's books as this device holds them, reactive. */
export const auteurs = {
  get tous(): readonly Auteur[] {
    return tous();
  },
  auteur(id: number): Auteur | undefined {
    return parId().get(id);
  },
  /** The author that another one has become part of on this page, by the id that is gone. */
  heritier(id: number): number | undefined {
    return heritiers.get(id);
  },
  /** The author's books, by title. */
  livresDe(id: number): readonly LivreDocument[] {
    return livresParAuteur().get(id) ?? [];
  },
  /** The authors whom someone who types this may mean, the likeliest first; none for no letter. */
  proposer(texte: string): readonly Auteur[] {
    const mots = normaliser(texte).split(' ');
    if (mots[0] === '') return [];
    return tous()
      .filter(({ nomNormalise }) => mots.every((mot) => nomNormalise.includes(mot)))
      .sort((a, b) => debute(b, mots) - debute(a, mots) || b.nombreLivres - a.nombreLivres);
  },
};

/** How many of the words begin one of the name's: one thinks of a name by its beginnings. */
const debute = ({ nomNormalise }: Auteur, mots: readonly string[]) =>
  mots.filter((mot) => ` ${nomNormalise}`.includes(` ${mot}`)).length;

/**
 * Whose record has taken in another one's, by the id of the one that goes. Known before the record
 * goes, so that its page can follow.
 */
const heritiers = new SvelteMap<number, number>();

const suivre = (ids: readonly number[], reste: Auteur) => {
  for (const id of ids) if (id !== reste.id) heritiers.set(id, reste.id);
};

/**
 * Renames an author everywhere and gives the record that stays: initials may go into their full
 * form. Throws the refusal `AUTEUR_EXISTANT` with the one of that name.
 */
export const renommerAuteur = (id: number, nom: string): Promise<Auteur> =>
  ecrire(operations.renommerAuteur, { params: { id }, body: { nom } }, (reste) =>
    suivre([id], reste),
  );

/**
 * Makes one author of two and gives the one that stays, under one of their names: the server takes
 * the most presentable, so another one is a renaming after it. The merge stands where that fails.
 */
export async function fusionnerAuteurs(auteurs: [number, number], nom: string): Promise<Auteur> {
  const reste = await ecrire(operations.fusionnerAuteurs, { body: { auteurs } }, (reste) =>
    suivre(auteurs, reste),
  );
  if (reste.nom === nom) return reste;
  return renommerAuteur(reste.id, nom).catch((erreur: unknown) => {
    if (erreur instanceof ApiError) return reste;
    throw erreur;
  });
}

/** Remembers that two authors are two people. */
export const refuserFusion = (auteurs: [number, number]): Promise<undefined> =>
  ecrire(operations.refuserFusion, { body: { auteurs } });
