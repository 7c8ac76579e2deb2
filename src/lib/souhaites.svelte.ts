import { cleTexte, cleTitre } from '#shared/text';
import { lesVues, parVersion } from './vues.svelte.ts';

const cleSouhait = (titre: string, auteur: string | null) =>
  `${cleTitre(titre)}\n${auteur === null ? '' : cleTexte(auteur)}`;

const souhaites = parVersion(
  () =>
    new Set([...lesVues().souhaits.values()].map(({ titre, auteur }) => cleSouhait(titre, auteur))),
);

/** True where the reader's own list has this work of this author, as the server tells two apart. */
export const estSouhaite = (titre: string, auteur: string | null): boolean =>
  souhaites().has(cleSouhait(titre, auteur));
