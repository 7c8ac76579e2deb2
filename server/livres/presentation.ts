import type { Statuts } from '#shared/catalogue';
import type { Livre, LivreDocument } from '#shared/livres';
import { Refusal } from '#shared/refusals';
import type { Context } from '#server/context';

type Memoire = Pick<Context, 'catalogue'>;

/** A book as its reader sees it: with the open loan and that reader's own status. */
export function presenter({ catalogue }: Memoire, livre: LivreDocument, statuts: Statuts): Livre {
  return {
    ...livre,
    statut: statuts.get(livre.id) ?? null,
    pret: catalogue.pretOuvert(livre.id),
  };
}

/** One book as its reader sees it; refused where there is none. */
export function presenterLivre(memoire: Memoire, utilisateur: string | null, id: number): Livre {
  const livre = memoire.catalogue.livre(id);
  if (livre === undefined) throw new Refusal('INTROUVABLE');
  return presenter(memoire, livre, memoire.catalogue.statutsDe(utilisateur));
}
