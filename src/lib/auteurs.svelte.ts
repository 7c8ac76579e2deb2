import * as operations from '#shared/auteurs';
import type { Auteur } from '#shared/auteurs';
import type { LivreDocument } from '#shared/livres';
import { comparerTextes } from '#shared/text';
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
  /** The author's books, by title. */
  livresDe(id: number): readonly LivreDocument[] {
    return livresParAuteur().get(id) ?? [];
  },
};

/** Renames an author everywhere. Throws the refusal `AUTEUR_EXISTANT` with the one of that name. */
export const renommerAuteur = (id: number, nom: string): Promise<Auteur> =>
  ecrire(operations.renommerAuteur, { params: { id }, body: { nom } });
